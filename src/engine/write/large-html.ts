import { isObject } from '../../json.ts';
import { inThread } from '../../thread.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model, Values } from '../model/model.ts';
import type { Markup } from '../value/sanitize-thread.ts';
import { htmlNames, setClean } from './values.ts';

const THREAD = new URL('../value/sanitize-thread.ts', import.meta.url);

/**
 * Makes the HTML among the values safe beside the event loop. What hooks change or add later is left to `toColumn`.
 * @throws BAD_VALUE for a text over the limits
 */
export async function cleanBeside(ctx: Ctx, model: Model, list: Values[]): Promise<void> {
  const places = list
    .filter(isObject)
    .flatMap((values) => htmlNames(model, values).map((name) => ({ values, name })));
  const texts = places.map(
    ({ values, name }): Markup => ({ html: values[name] as string, where: `${model.name}.${name}` }),
  );
  const clean = await inThread<string[]>(THREAD, texts, ctx.workspace.id);
  for (const [index, { values, name }] of places.entries()) setClean(values, name, clean[index]!);
}
