import pg from 'pg';

/** A statement as it is sent. */
export interface RoundTripStatement {
  text: string;
  params: unknown[];
  /** It is prepared under this name. */
  name: string | undefined;
}

/** Names of statements by connection, as the driver keeps them. */
interface DriverConnection {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  execute(config: { portal: string }): void;
  sync(): void;
}

/** What the driver's own query is made of, which its declarations lack. */
interface DriverQuery extends Omit<pg.Query, 'submit'> {
  text: string;
  values: unknown[];
  name: string | undefined;
  submit(connection: unknown): void;
  prepare(connection: DriverConnection): void;
  handleError(error: Error, connection: DriverConnection): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
}

const DriverQuery = pg.Query as unknown as new (text: string, params: unknown[]) => DriverQuery;

/**
 * Several statements in one round trip, each answered with its rows. Behind one Sync: after the first that fails
 * Postgres carries out none of the others, so nothing that follows a failed `begin` runs without it.
 */
export class RoundTrip extends DriverQuery {
  readonly steps: readonly RoundTripStatement[];
  private at = 0;
  private isRefused = false;

  constructor(steps: readonly RoundTripStatement[]) {
    super(steps[0]!.text, []);
    this.steps = steps;
  }

  /** The driver asks which statement an answer belongs to by name and text. */
  private selectStep(at: number): void {
    const step = this.steps[at];
    this.at = at;
    this.name = step?.name;
    this.text = step?.text ?? '';
    this.values = step?.params ?? [];
  }

  override submit(connection: unknown): void {
    const to = connection as DriverConnection;
    to.stream.cork();
    try {
      for (let at = 0; at < this.steps.length && !this.isRefused; at++) {
        this.selectStep(at);
        this.prepare(to);
      }
      if (!this.isRefused) to.sync();
    } finally {
      to.stream.uncork();
    }
    this.selectStep(0);
  }

  /** The driver asks for the rows of one statement, and would end the round trip with it. */
  _getRows(connection: DriverConnection): void {
    connection.execute({ portal: '' });
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    super.handleCommandComplete(message, connection);
    this.selectStep(this.at + 1);
  }

  override handleError(error: Error, connection: DriverConnection): void {
    this.isRefused = true;
    // Those behind it have not been parsed either.
    for (const { name } of this.steps.slice(this.at))
      if (name) delete connection.submittedNamedStatements[name];
    super.handleError(error, connection);
  }
}
