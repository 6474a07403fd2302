/** A network between a program and PostgreSQL that loses what a test says. */
import { connect, createServer, type Socket } from "node:net";

export type Fate = "is lost" | "is cut off" | "arrives, the answer is lost" | "arrives, the connection is cut off";

/** What becomes of the bytes. */
interface Network {
  /** Bytes from the program do not arrive. */
  dropsQuestions: boolean;
  /** Bytes from the database do not arrive. */
  dropsAnswers: boolean;
  /** What becomes of the next COMMITs; the others arrive. */
  commits: Fate[];
  /** SQLSTATEs with which the database refuses the next connections; the others are taken. */
  refusals: string[];
  /** Changes what the program says; the length stays. */
  rewrite: (said: Buffer) => Buffer;
}

export interface LossyNetwork extends Disposable {
  url: string;
  network: Network;
  /** Cuts every connection, and forgets those that lead nowhere. */
  cut(): void;
}

/** @param url of a database that listens on a unix socket, as `temporaryDatabase` and `startPostgres` give it */
export async function startProxy(url: string): Promise<LossyNetwork> {
  const target = new URL(url);
  const path = `${target.searchParams.get("host")}/.s.PGSQL.${target.port || 5432}`;
  const network: Network = {
    dropsQuestions: false,
    dropsAnswers: false,
    commits: [],
    refusals: [],
    rewrite: (said) => said,
  };
  const pairs = new Set<{ near: Socket; far: Socket }>();
  const server = createServer((near) => {
    const refusal = network.refusals.shift();
    if (refusal) return void near.once("data", () => near.end(errorResponse(refusal)));
    const far = connect({ path });
    const pair = { near, far };
    pairs.add(pair);
    /** Once a COMMIT is lost, its connection leads nowhere. */
    let isMute = false;
    let isDeaf = false;
    let cutsAtAnswer = false;
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    near.on("data", (said: Buffer) => {
      if (network.dropsQuestions || isMute) return;
      const fate = said.includes("COMMIT\0") ? network.commits.shift() : undefined;
      if (fate) {
        if (fate === "is cut off") return end();
        isMute = fate === "is lost";
        isDeaf = fate === "is lost" || fate === "arrives, the answer is lost";
        cutsAtAnswer = fate === "arrives, the connection is cut off";
        if (isMute) return;
      }
      far.write(network.rewrite(said));
    });
    far.on("data", (answered) => {
      if (cutsAtAnswer) return end();
      if (!network.dropsAnswers && !isDeaf) near.write(answered);
    });
    for (const socket of [near, far]) {
      // A connection that leads nowhere does not end either.
      socket.on("close", () => {
        if (!isMute && !isDeaf && !network.dropsQuestions && !network.dropsAnswers) end();
      });
      socket.on("error", () => {});
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const near = new URL(url);
  near.search = "";
  near.host = `127.0.0.1:${address.port}`;
  const cut = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
  };
  return {
    url: near.href,
    network,
    cut,
    [Symbol.dispose]: () => {
      server.close();
      cut();
    },
  };
}

/** The message of the protocol with which PostgreSQL refuses a connection. */
function errorResponse(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mrefused by the test\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
