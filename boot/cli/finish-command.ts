/** Takes the result of a command, and whether it is to end as one that failed. */
export type FinishCommand = (result: unknown, failed?: boolean) => void;
