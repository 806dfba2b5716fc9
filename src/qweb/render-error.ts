/** A page took too much: of time, of length, or of templates within templates. */
export class RenderError extends Error {}
