import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { FilteredTool } from '../agent/tool-filter.ts';

/** What a list says of a resource. */
export interface ResourceInfo {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** A part of a resource: text, or bytes in base64. */
export type ResourceContent = { uri: string; mimeType: string } & ({ text: string } | { blob: string });

/** Resources of one kind. A kind with a template has as many as there are values for its one variable. */
export interface ResourceKind {
  /** Such as `model://{model}`; a kind without one lists all that it has. */
  template?: Omit<ResourceInfo, 'uri'> & { uriTemplate: string };
  /** The tool that answers the same: a connection that does not open it does not open these. */
  like?: FilteredTool;
  list(ctx: Ctx): ResourceInfo[];
  /** null when the address is none of this kind's, or leads nowhere. */
  read(ctx: Ctx, uri: string): Promise<ResourceContent[] | null>;
  /** Values of the variable that begin with or contain a text. */
  complete?(ctx: Ctx, text: string): string[];
}
