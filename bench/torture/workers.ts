/** Two processes send the messages of one PostgreSQL, and one of them is killed, or has a clock that goes wrong. */
import { measureWorkers } from "../../test/jobs/two-workers.ts";
import { brokenOf } from "../report.ts";

export async function measureBothFaults(jobs: number) {
  const killed = await measureWorkers({ jobs, fault: "killed" });
  const ahead = await measureWorkers({ jobs, fault: { clockAheadMs: 30_000 } });
  const { lost, textedTwice, pushedTwiceWithoutCause } = killed;
  const broken = [
    ...brokenOf({ lost, textedTwice, pushedTwiceWithoutCause }),
    ...brokenOf({ ...ahead, jobs: 0, seconds: 0 }).map((fault) => `with a clock 30 s ahead, ${fault}`),
  ];
  return { killed, ahead, broken };
}
