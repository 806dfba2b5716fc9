-- Administrators may write the scheduled actions of their workspace.
UPDATE "ir_model_access" a SET "perm_write" = true
FROM "ir_model_stock" m, "res_groups" g
WHERE m."id" = a."model_id" AND m."model" = 'ir.cron'
  AND g."workspace_id" = a."workspace_id" AND g."id" = a."group_id"
  AND g."external_id" = 'base.group_system';
