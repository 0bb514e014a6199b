// What every JavaScript driver shares: the arguments of the calls, and a line of JSON for each step.

export const RIGHT = { expression: "2 ** 10 + 5" };
export const WRONG = { expression: "two plus two" };
export const TWO_SECONDS = { seconds: 2 };
const STEP_WITHIN_MS = 90_000;

export function say(step, observation) {
  console.log(JSON.stringify({ step, ...observation }));
}

// Wait for what a step sees and print it, or what it raised.
export async function observe(step, seeing) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), STEP_WITHIN_MS);
  });
  try {
    say(step, { saw: await Promise.race([seeing(), late]) });
  } catch (error) {
    say(step, { raised: String(error) });
  } finally {
    clearTimeout(timer);
  }
}

// Run a driver with the server's URL; whatever it raises is a connection that failed.
export async function drive(run) {
  try {
    await run(process.argv[2]);
  } catch (error) {
    say("connect", { raised: String(error) });
  }
  process.exit(0);
}
