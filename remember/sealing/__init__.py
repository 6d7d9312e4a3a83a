"""What the store holds is sealed, and sealed to its place."""

from remember.sealing.envelope import Unreadable
from remember.sealing.sealer import PlainSealer, Seal, Sealer, SecretSealer
from remember.sealing.secrets import Secrets, choose_secrets

__all__ = ["PlainSealer", "Seal", "Sealer", "SecretSealer", "Secrets", "Unreadable", "choose_secrets"]
