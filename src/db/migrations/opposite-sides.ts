import { readFileSync, writeFileSync } from 'node:fs';
import { readSchema } from './migration-files.ts';

/** A relation as the side with the foreign key declares it. */
interface Relation {
  from: string;
  to: string;
  /** Its name in quotes, when it has one. */
  name: string | null;
}

/**
 * Prisma wants every relation declared on both models. So that a new model needs no edit in the models it leads to, the
 * sides that lack are written here, under names with a capital letter, which the record API does not take for fields.
 * @returns the lines added, by file
 */
export function addOppositeSides(): Map<string, string[]> {
  const { files } = readSchema();
  const texts = new Map(files.map((file) => [file.path, file.content]));
  const all = [...texts.values()].join('\n');
  const added = new Map<string, string[]>();
  for (const relation of relationsIn(all)) {
    if (hasOpposite(all, relation)) continue;
    const path = [...texts.keys()].find((each) => modelText(texts.get(each)!, relation.to) !== null)!;
    const line = lineOf(relation);
    texts.set(path, withLine(texts.get(path)!, relation.to, line));
    added.set(path, [...(added.get(path) ?? []), `${relation.to}: ${line}`]);
  }
  for (const path of added.keys())
    if (readFileSync(path, 'utf8') !== texts.get(path)) writeFileSync(path, texts.get(path)!);
  return added;
}

const MODEL = /^model (\w+) \{$([\s\S]*?)^\}$/gm;
const SIDE = /^\s+\w+\s+(\w+)\??\s+@relation\((?:("\w+"),\s*)?fields:/gm;

/** Relations of the schema `text`, in its order. Pure. */
function relationsIn(text: string): Relation[] {
  return [...text.matchAll(MODEL)].flatMap(([, from, body]) =>
    [...body!.matchAll(SIDE)].map(([, to, name]) => ({ from: from!, to: to!, name: name ?? null })),
  );
}

function hasOpposite(text: string, { from, to, name }: Relation): boolean {
  const relation = name ? `\\s+@relation\\(${name}\\)` : '\\s*$';
  return new RegExp(`^\\s+\\w+\\s+${from}(\\[\\]|\\?)${relation}`, 'm').test(modelText(text, to) ?? '');
}

const modelText = (text: string, model: string): string | null =>
  new RegExp(`^model ${model} \\{$[\\s\\S]*?^\\}$`, 'm').exec(text)?.[0] ?? null;

/** `CrmLeadStage CrmLead[] @relation("lead_stage")`, apart from other relations of the two by the relation's name. */
function lineOf({ from, name }: Relation): string {
  const word = (name ?? '').replaceAll('"', '').replace(/(^|_)(\w)/g, (_, __, c: string) => c.toUpperCase());
  return `${word ? `By${word}` : from} ${from}[]${name ? ` @relation(${name})` : ''}`;
}

/** Before the keys and indexes of the model. */
function withLine(text: string, model: string, line: string): string {
  const before = modelText(text, model)!;
  const after = before.includes('\n\n  @@')
    ? before.replace('\n\n  @@', `\n  ${line}\n\n  @@`)
    : before.replace(/\n\}$/, `\n  ${line}\n}`);
  return text.replace(before, () => after);
}
