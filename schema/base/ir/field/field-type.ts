import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { parseSelectionText } from '../../../../src/engine/domain/selection-text.ts';
import { toSnakeCase } from '../../../../src/engine/model/datamodel.ts';
import type { Values } from '../../../../src/engine/model/model.ts';
import { errors } from '../../../../src/errors.ts';

const RELATION_TYPES: readonly unknown[] = ['many2one', 'one2many', 'many2many'];
const TRANSLATABLE_TYPES: readonly unknown[] = ['char', 'text', 'html'];
const CODE_ONLY_TYPES: readonly unknown[] = ['many2one_reference', 'properties', 'properties_definition'];
const OPTION_TYPES: readonly unknown[] = ['selection', 'reference'];

/** Validates settings of new and changed fields. @throws USER_ERROR if one is not supported */
export function checkFieldSettings(values: Values): void {
  if (values.compute)
    throw errors.user(
      "The field 'compute' must be empty, because custom code is not supported. Use a related field instead.",
    );
  if (CODE_ONLY_TYPES.includes(values.ttype))
    throw errors.user(
      `A custom field cannot have the type ${values.ttype}, because only built-in models can have fields of ` +
        'this type (ttype).',
    );
  if (values.translate === true) values.translate = 'standard';
}

/** @throws VALIDATION if a setting does not fit the field's type */
export function fillFieldTypeDefaults(ctx: Ctx, values: Values): void {
  const { ttype } = values;
  if (RELATION_TYPES.includes(ttype)) completeRelation(ctx, values);
  else if (values.relation)
    throw errors.validation("Only many2one, one2many and many2many fields can have a 'relation'.");
  if (OPTION_TYPES.includes(ttype)) completeOptions(values);
  else if (!isEmptyList(values.selection))
    throw errors.validation("Only selection and reference fields can have a 'selection'.");
  if (values.translate && !TRANSLATABLE_TYPES.includes(ttype))
    throw errors.validation("Only char, text and html fields can be translated ('translate').");
  if (values.related) Object.assign(values, { store: false, readonly: true, copied: false });
  if (ttype === 'one2many' || ttype === 'many2many') values.index = false;
}

const isEmptyList = (selection: unknown): boolean => !selection || selection === '[]';

function completeRelation(ctx: Ctx, values: Values): void {
  const { ttype, relation, model } = values as { ttype: string; relation: unknown; model: string };
  if (typeof relation !== 'string' || relation === '')
    throw errors.validation(
      `The 'relation' of a ${ttype} field is required. Set it to the model that the field refers to.`,
    );
  if (ttype === 'many2one') completeMany2one(values);
  if (ttype === 'one2many') values.copied ??= false;
  if (ttype === 'many2many')
    Object.assign(values, {
      ...buildJoinTableNames(ctx, model, relation),
      ...pickRelationTableNames(values),
    });
}

function completeMany2one(values: Values): void {
  if (values.required && values.on_delete === 'set null')
    throw errors.validation(
      `The required many2one field ${values.name} cannot use on_delete 'set null'. Use 'restrict' or ` +
        "'cascade'.",
    );
  values.on_delete ||= values.required ? 'restrict' : 'set null';
}

/** Returns Odoo's names for a many2many's table and columns, which are reported to clients but not used. */
function buildJoinTableNames(ctx: Ctx, model: string, relation: string): Values {
  const table = (name: string): string =>
    ctx.catalog.registry.get(name)?.prisma.replace(/^IrRecord$/, '') || name;
  const [leftTable, rightTable] = [toSnakeCase(table(model)), toSnakeCase(table(relation))].map((name) =>
    name.replaceAll('.', '_'),
  );
  const isSame = leftTable === rightTable;
  return {
    relation_table: `x_${[leftTable, rightTable].sort().join('_')}_rel`,
    column1: isSame ? 'id1' : `${leftTable}_id`,
    column2: isSame ? 'id2' : `${rightTable}_id`,
  };
}

const pickRelationTableNames = (values: Values): Values =>
  Object.fromEntries(
    ['relation_table', 'column1', 'column2']
      .filter((name) => values[name])
      .map((name) => [name, values[name]]),
  );

function completeOptions(values: Values): void {
  const { selection } = values;
  delete values.selection;
  if (values.selection_ids || isEmptyList(selection)) return;
  values.selection_ids = parseSelection(selection).map(([value, name], sequence) => [
    0,
    0,
    { value, name, sequence },
  ]);
}

/** @throws BAD_VALUE */
export function parseSelection(selection: unknown): [string, string][] {
  if (isEmptyList(selection)) return [];
  if (typeof selection !== 'string') throw errors.wrongValue('ir.model.fields', 'selection', selection);
  return parseSelectionText(selection);
}
