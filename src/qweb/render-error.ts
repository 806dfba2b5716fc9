/** The page exceeded a limit: time, length, or nesting of templates. */
export class RenderError extends Error {}
