/**
 * Version of the API that apps import with `import { … } from 'atrium/app'`. It increases when an export is removed or
 * changes its meaning, but not when one is added. Everything else under `src/`, `schema/` and `facades/` is internal.
 */
export const SURFACE = 1;

export { toIsoSql } from '../../src/db/iso-sql.ts';
export { type Sql, sql } from '../../src/db/sql.ts';
export { assertFieldAccess, assertModelAccess, canAccessModel } from '../../src/engine/access/access.ts';
export { assertRowsAllowed, filterReadableIds } from '../../src/engine/access/row-access.ts';
export type { Ctx } from '../../src/engine/ctx/ctx.ts';
export type { AccessKind } from '../../src/engine/model/access-kind.ts';
export type { Field } from '../../src/engine/model/field.ts';
export type { InitialRule, Model, ModelOptions, Values } from '../../src/engine/model/model.ts';
export type { AuthKind, Policy } from '../../src/engine/model/policy.ts';
export { defineModel } from '../../src/engine/model/registry.ts';
export { defineOperation, type Operation } from '../../src/engine/operation/operation.ts';
export { returnRecord, returnRecords } from '../../src/engine/operation/record-result.ts';
export { defineEnumShape, defineTypedShape } from '../../src/engine/operation/shape.ts';
export { nameSearch, read, search, searchCount, searchRead } from '../../src/engine/read/records.ts';
export {
  formatInstant,
  fromWallClock,
  getStartOfDay,
  parseTimestamp,
  toWallClock,
} from '../../src/engine/value/instant.ts';
export { addRecords, findRecordIds } from '../../src/engine/write/first-records.ts';
export { setHookValues } from '../../src/engine/write/values.ts';
export { create, unlink, write } from '../../src/engine/write/write.ts';
export { AppError, errors } from '../../src/errors.ts';
export { type App, type AppGroup, type AppMigration, defineApp } from './app.ts';
export { companyCurrency } from './company-currency.ts';
export { companyRule } from './company-rule.ts';
export { formatDay, formatNow } from './dates.ts';
export { type AppSetting, loadSetting } from './settings.ts';
export { isSet, linkId, linkIds } from './values.ts';
