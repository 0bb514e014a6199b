// The AI SDK's MCP client, without a model. It has no progress callback.

import { createMCPClient } from "@ai-sdk/mcp";

import { drive, observe, RIGHT, say, TWO_SECONDS, WRONG } from "./report.mjs";

await drive(async (url) => {
  const client = await createMCPClient({ transport: { type: "http", url } });
  say("connect", { saw: true });
  let tools = {};
  const execute = (name, input) => tools[name].execute(input, { toolCallId: "1", messages: [] });
  const call = async (expression) => {
    const result = await execute("calculator", expression);
    return { text: result.content[0].text, is_error: result.isError ?? false };
  };
  await observe("list", async () => Object.keys((tools = await client.tools())));
  await observe("call", () => call(RIGHT));
  await observe("error", () => call(WRONG));
  await observe("progress", async () => {
    await execute("countdown", TWO_SECONDS);
    return null;
  });
  await client.close();
});
