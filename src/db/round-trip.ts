import pg from 'pg';

export interface RoundTripStatement {
  text: string;
  params: unknown[];
  /** Name of the prepared statement. Undefined to send it unprepared. */
  name: string | undefined;
}

interface DriverConnection {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  execute(config: { portal: string }): void;
  sync(): void;
}

/** Parts of the driver's query class that its type declarations omit. */
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
 * Runs several statements in one round trip and returns the rows of each. They share one Sync message, so after a
 * failure, PostgreSQL skips the remaining statements. No statement after a failed `begin` runs outside the transaction.
 */
export class RoundTrip extends DriverQuery {
  readonly steps: readonly RoundTripStatement[];
  private at = 0;
  private isRefused = false;

  constructor(steps: readonly RoundTripStatement[]) {
    super(steps[0]!.text, []);
    this.steps = steps;
  }

  /** Sets the name and text that the driver uses to identify the statement of a response. */
  private selectStep(index: number): void {
    const step = this.steps[index];
    this.at = index;
    this.name = step?.name;
    this.text = step?.text ?? '';
    this.values = step?.params ?? [];
  }

  override submit(connection: unknown): void {
    const to = connection as DriverConnection;
    to.stream.cork();
    try {
      for (let index = 0; index < this.steps.length && !this.isRefused; index++) {
        this.selectStep(index);
        this.prepare(to);
      }
      if (!this.isRefused) to.sync();
    } finally {
      to.stream.uncork();
    }
    this.selectStep(0);
  }

  /** Overrides the driver's method, which ends the round trip after the rows of one statement. */
  _getRows(connection: DriverConnection): void {
    connection.execute({ portal: '' });
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    super.handleCommandComplete(message, connection);
    this.selectStep(this.at + 1);
  }

  override handleError(error: Error, connection: DriverConnection): void {
    this.isRefused = true;
    // The statements after the failed one have not been parsed either.
    for (const { name } of this.steps.slice(this.at))
      if (name) delete connection.submittedNamedStatements[name];
    super.handleError(error, connection);
  }
}
