/** `isFailed` sets a failure exit code. */
export type FinishCommand = (result: unknown, isFailed?: boolean) => void;
