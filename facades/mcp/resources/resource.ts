import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { FilteredTool } from '../agent/tool-filter.ts';

export interface ResourceInfo {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

type ResourceContent = { uri: string; mimeType: string } & ({ text: string } | { blob: string });

/** Resources of one kind. A kind with a template has one resource per value of its variable. */
export interface ResourceKind {
  /** Template such as `model://{model}`. A kind without a template lists all its resources. */
  template?: Omit<ResourceInfo, 'uri'> & { uriTemplate: string };
  /** The equivalent tool. A connection that does not expose it does not expose these resources. */
  like?: FilteredTool;
  list(ctx: Ctx): ResourceInfo[];
  /** Null if the URI is unknown or belongs to another kind. */
  read(ctx: Ctx, uri: string): Promise<ResourceContent[] | null>;
  /** Returns values of the variable that start with or contain the text. */
  complete?(ctx: Ctx, text: string): string[];
}
