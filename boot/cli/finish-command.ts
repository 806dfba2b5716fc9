/** `isFailed` sets a failure exit code. */
export type CommandFinisher = (result: unknown, isFailed?: boolean) => void;
