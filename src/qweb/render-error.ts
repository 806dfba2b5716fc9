/** Thrown if a page exceeds a limit on its rendering time, length or nested templates. */
export class RenderError extends Error {}
