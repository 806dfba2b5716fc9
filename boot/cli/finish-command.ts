/** Receives the result of a command. `failed` sets a failure exit code. */
export type FinishCommand = (result: unknown, isFailed?: boolean) => void;
