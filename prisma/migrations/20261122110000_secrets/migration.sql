-- Neither the audit trail nor the log of tool calls keeps a secret; what older versions wrote there is taken out.

-- Values of system parameters.
UPDATE "svc_audit_event" SET "summary" = CASE
    WHEN "summary" ~ '"value":\s*[\[{]' THEN '{}'
    ELSE regexp_replace("summary", '"value":("(?:[^"\\]|\\.)*"|[^,}\]]*)', '"value":"***"', 'g')
  END
WHERE "event" IN ('ir.config_parameter.create', 'ir.config_parameter.write');

UPDATE "svc_mcp_log" SET "summary" = '{"model":"ir.config_parameter"}'
WHERE "model_name" = 'ir.config_parameter' AND strpos("summary", '"value') > 0;

-- Refusals that repeated the value.
UPDATE "svc_audit_event" SET "error" = split_part("error", ':', 1) || ': ***'
WHERE "error" ~* '^Wrong value for (ir\.config_parameter\.value|\S*(passw|passphrase|secret|token|api_?key|private_?key|credential|authorization)\S*): ';

UPDATE "svc_mcp_log" SET "error" = regexp_replace("error", ' (in condition|not a condition:) .*', ' \1 ***')
WHERE "error" ~* 'condition:? .*(passw|passphrase|secret|token|api_?key|private_?key|credential|authorization)'
  OR "model_name" = 'ir.config_parameter' AND "error" ~ 'condition:? .*"value';

-- New keys that were kept for requests with an Idempotency-Key.
DELETE FROM "svc_replay" WHERE "body" ~ '^"u[ks]_';
