import { readFileSync, writeFileSync } from 'node:fs';
import { readSchema } from './migration-files.ts';

interface SchemaRelation {
  from: string;
  to: string;
  /** Relation name in quotes. Null if unnamed. */
  name: string | null;
}

/**
 * Adds the missing opposite sides of relations. Prisma requires both sides, and a new model should not need edits in
 * the models that it refers to. The added names start with a capital letter, so the record API does not expose them as
 * fields.
 * @returns the added lines by file
 */
export function addOppositeFields(folder?: string): Map<string, string[]> {
  const { files } = readSchema(folder);
  const texts = new Map(files.map((file) => [file.path, file.content]));
  const all = [...texts.values()].join('\n');
  const addedFields = new Map<string, string[]>();
  for (const relation of parseRelations(all)) {
    if (hasOppositeField(all, relation)) continue;
    const path = [...texts.keys()].find((key) => findModelText(texts.get(key)!, relation.to) !== null)!;
    const line = buildFieldLine(relation);
    texts.set(path, insertLine(texts.get(path)!, relation.to, line));
    addedFields.set(path, [...(addedFields.get(path) ?? []), `${relation.to}: ${line}`]);
  }
  for (const path of addedFields.keys())
    if (readFileSync(path, 'utf8') !== texts.get(path)) writeFileSync(path, texts.get(path)!);
  return addedFields;
}

const MODEL = /^model (\w+) \{$([\s\S]*?)^\}$/gm;
const RELATION_FIELD = /^\s+\w+\s+(\w+)\??\s+@relation\((?:("\w+"),\s*)?fields:/gm;

function parseRelations(text: string): SchemaRelation[] {
  return [...text.matchAll(MODEL)].flatMap(([, from, body]) =>
    [...body!.matchAll(RELATION_FIELD)].map(([, to, name]) => ({ from: from!, to: to!, name: name ?? null })),
  );
}

function hasOppositeField(text: string, { from, to, name }: SchemaRelation): boolean {
  const relation = name ? `\\s+@relation\\(${name}\\)` : '\\s*$';
  return new RegExp(`^\\s+\\w+\\s+${from}(\\[\\]|\\?)${relation}`, 'm').test(findModelText(text, to) ?? '');
}

const findModelText = (text: string, model: string): string | null =>
  new RegExp(`^model ${model} \\{$[\\s\\S]*?^\\}$`, 'm').exec(text)?.[0] ?? null;

/** Builds a line such as `CrmLeadStage CrmLead[] @relation("lead_stage")`. */
function buildFieldLine({ from, name }: SchemaRelation): string {
  const word = (name ?? '').replaceAll('"', '').replace(/(^|_)(\w)/g, (_, __, c: string) => c.toUpperCase());
  return `${word ? `By${word}` : from} ${from}[]${name ? ` @relation(${name})` : ''}`;
}

function insertLine(text: string, model: string, line: string): string {
  const before = findModelText(text, model)!;
  const index = before.includes('\n\n  @@') ? before.indexOf('\n\n  @@') : before.lastIndexOf('\n}');
  const from = Math.max(0, before.lastIndexOf('\n\n', index - 1));
  const block = alignFields(`${before.slice(from, index)}\n  ${line}`);
  return text.replace(before, () => before.slice(0, from) + block + before.slice(index));
}

const FIELD = /^ {2}(\w+) +(\S+)(?: +(\S.*))?$/gm;

/** Aligns the fields of a block in columns, as `prisma format` does. */
function alignFields(block: string): string {
  const fields = [...block.matchAll(FIELD)];
  const computeWidest = (column: number) => Math.max(...fields.map((field) => field[column]!.length));
  const [name, type] = [computeWidest(1), computeWidest(2)];
  return block.replace(
    FIELD,
    (_, ...[ownField, kind, marks]) =>
      `  ${ownField.padEnd(name)} ${marks ? `${kind.padEnd(type)} ${marks}` : kind}`,
  );
}
