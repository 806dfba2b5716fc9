import type { Runtime } from '../ctx/runtime.ts';

/**
 * Takes what a machine without a key posts; who sent it must show from the message itself. Answers when it is kept.
 * @throws BAD_REQUEST for what it cannot read, FORBIDDEN for what it does not trust
 */
type Intake = (runtime: Runtime, body: Buffer) => Promise<void>;

const declared = new Map<string, Intake>();

/** Declares who takes the messages of `sender`. */
export function defineIntake(sender: string, intake: Intake): void {
  declared.set(sender, intake);
}

export function intakeOf(sender: string): Intake {
  const intake = declared.get(sender);
  if (!intake) throw new Error(`nobody takes messages of ${sender}`);
  return intake;
}
