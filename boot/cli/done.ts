/** Takes the result of a command. */
export type Done = (result: unknown) => void;
