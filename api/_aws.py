"""Lambda's door: the same server behind a Function URL, an HTTP or REST API, or a load balancer."""

from mangum import Mangum

from remember import create_fetch_handler

handler = Mangum(create_fetch_handler(), lifespan="off")
