// The TypeScript client 2.x, which asks the server for its era.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { drive, observe, RIGHT, say, TWO_SECONDS, WRONG } from "./report.mjs";

await drive(async (url) => {
  const client = new Client({ name: "interop", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  say("connect", { saw: true });
  const call = async (expression) => {
    const result = await client.callTool({ name: "calculator", arguments: expression });
    return { text: result.content[0].text, is_error: result.isError ?? false };
  };
  await observe("list", async () => (await client.listTools()).tools.map((tool) => tool.name));
  await observe("call", () => call(RIGHT));
  await observe("error", () => call(WRONG));
  await observe("progress", async () => {
    const seen = [];
    const onprogress = ({ progress }) => seen.push(progress);
    await client.callTool({ name: "countdown", arguments: TWO_SECONDS }, { onprogress });
    return seen;
  });
  await client.close();
});
