-- CreateTable
CREATE TABLE "svc_change" (
    "workspace_id" INTEGER NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL,
    "topic" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ids" INTEGER[],
    "many" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_change_pkey" PRIMARY KEY ("workspace_id","xid","seq")
);

-- CreateTable
CREATE TABLE "svc_live" (
    "topic" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "since" BIGINT,

    CONSTRAINT "svc_live_pkey" PRIMARY KEY ("topic","workspace_id")
);

-- CreateIndex
CREATE INDEX "svc_change_created_at_idx" ON "svc_change"("created_at");

-- What the Prisma schema cannot say.

-- Notes which records a statement has changed, for tables that somebody subscribes to. With no subscriber it costs one
-- look-up per statement. The look-up takes a snapshot of its own, so it sees a lease that has just been committed.
CREATE FUNCTION "atrium_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "svc_live" WHERE "topic" = TG_TABLE_NAME) THEN
    INSERT INTO "svc_change" ("workspace_id", "xid", "topic", "kind", "ids", "many")
    SELECT r."workspace_id", pg_current_xact_id()::text::bigint, TG_TABLE_NAME, TG_ARGV[0],
      CASE WHEN count(*) > 1000 THEN '{}' ELSE array_agg(r."id") END, count(*) > 1000
    FROM "changed" r JOIN "svc_live" l ON l."workspace_id" = r."workspace_id"
    WHERE l."topic" = TG_TABLE_NAME AND l."until" > now() GROUP BY r."workspace_id";
  END IF;
  RETURN NULL;
END $$;

-- The same for the records of custom models, which share a table: each model is a topic of its own.
CREATE FUNCTION "atrium_custom_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "svc_live" WHERE "topic" LIKE 'ir\_record:%') THEN
    INSERT INTO "svc_change" ("workspace_id", "xid", "topic", "kind", "ids", "many")
    SELECT r."workspace_id", pg_current_xact_id()::text::bigint, l."topic", TG_ARGV[0],
      CASE WHEN count(*) > 1000 THEN '{}' ELSE array_agg(r."id") END, count(*) > 1000
    FROM "changed" r JOIN "svc_live" l
      ON l."workspace_id" = r."workspace_id" AND l."topic" = 'ir_record:' || r."model_id"
    WHERE l."until" > now() GROUP BY r."workspace_id", l."topic";
  END IF;
  RETURN NULL;
END $$;

-- Lets changes of a table be noted. Statements that change many rows run it once.
CREATE FUNCTION "atrium_watch"("watched" regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "noter" text := CASE WHEN "watched" = to_regclass('ir_record') THEN 'atrium_custom_changed' ELSE 'atrium_changed' END;
BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = "watched" AND tgname = 'live created') THEN RETURN; END IF;
  -- A table of the whole installation belongs to no subscriber.
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = "watched" AND attname = 'workspace_id') THEN RETURN; END IF;
  EXECUTE format('CREATE TRIGGER "live created" AFTER INSERT ON %s REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION %I(''C'')', "watched", "noter");
  EXECUTE format('CREATE TRIGGER "live updated" AFTER UPDATE ON %s REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION %I(''U'')', "watched", "noter");
  EXECUTE format('CREATE TRIGGER "live deleted" AFTER DELETE ON %s REFERENCING OLD TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION %I(''D'')', "watched", "noter");
END $$;

-- Every table of records; the application adds those of models that come later when it starts.
SELECT "atrium_watch"("t"::regclass) FROM unnest(ARRAY[
  'svc_mcp_log', 'svc_audit_event', 'res_company', 'res_country', 'res_country_state', 'res_currency',
  'res_currency_rate', 'crm_lead', 'crm_lost_reason', 'crm_recurring_plan', 'crm_stage', 'crm_tag',
  'crm_team', 'utm_source', 'utm_medium', 'utm_campaign', 'product_tag', 'product_category',
  'product_pricelist', 'product_pricelist_item', 'product_template', 'product_product', 'uom_uom',
  'project_milestone', 'project_project', 'project_tags', 'project_task_type', 'project_project_stage',
  'project_task', 'sale_order', 'sale_order_line', 'account_payment_term', 'account_tax',
  'res_groups_privilege', 'res_groups', 'ir_model_access', 'ir_attachment', 'ir_cron', 'ir_model_data',
  'ir_model_fields_selection', 'ir_model_fields', 'ir_model', 'ir_module_module',
  'ir_module_module_dependency', 'ir_config_parameter', 'ir_rule', 'ir_sequence', 'svc_api_key', 'res_lang',
  'mail_activity', 'mail_activity_type', 'mail_followers', 'mail_message', 'mail_message_subtype',
  'mail_tracking_value', 'res_partner_category', 'res_partner_industry', 'res_partner', 'res_users',
  'res_users_log', 'svc_contact_book', 'svc_campaign', 'svc_contact', 'svc_domain', 'svc_email',
  'svc_email_event', 'svc_outbox', 'svc_suppression', 'svc_template', 'svc_template_version', 'svc_webhook',
  'svc_webhook_call', 'ir_record'
]) "t";
