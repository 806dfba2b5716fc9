-- Notes are internal: users of the portal see what was said to them, and not what is said about it.
UPDATE "ir_rule" r
SET "domain_force" = '[(''is_internal'', ''='', False), ''|'', (''subtype_id'', ''='', False), (''subtype_id.internal'', ''='', False)]'
FROM "ir_model_stock" m
WHERE m."id" = r."model_id" AND m."model" = 'mail.message' AND r."name" = 'nothing internal'
  AND r."domain_force" = '[(''is_internal'', ''='', False)]';
