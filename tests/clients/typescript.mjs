// Drives the official TypeScript client: a call for each line on stdin, an answer for each on stdout, all of it JSON.
// The one argument says where to connect (url and key, or a command that bridges), how, and what the person answers.
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { url, key, command, mode, person } = JSON.parse(process.argv[1]);
const say = (said) => console.log(JSON.stringify(said));
const refusal = ({ name, message, data }) => ({ refused: { name, message, text: data?.text ?? '' } });

const asked = [];
const client = new Client(
  { name: 'tests', version: '0' },
  { capabilities: person ? { elicitation: {} } : {}, ...(mode ? { versionNegotiation: { mode } } : {}) },
);
if (person) {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return person;
  });
}
const transport = command
  ? new StdioClientTransport(command)
  : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } });

try {
  await client.connect(transport);
  const { tools } = await client.listTools();
  say({ version: client.getNegotiatedProtocolVersion(), tools: tools.map(({ name }) => name) });
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, args] = JSON.parse(line);
    try {
      say({ result: await client.callTool({ name, arguments: args }), asked: asked.splice(0) });
    } catch (error) {
      say(refusal(error));
    }
  }
} catch (error) {
  say(refusal(error));
}
await client.close();
