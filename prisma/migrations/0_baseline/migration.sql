-- The schema of the first release. Later migrations change it; this file stays as it is, because databases record its
-- checksum.
--
-- Tables have the rows of all workspaces, so what a new workspace adds is a small part of one: at PostgreSQL's default of
-- 10 % its rows would long be unknown to the planner. Hence `autovacuum_analyze_scale_factor`, which new tables get too.

-- Workspaces, their users, companies and partners, keys and logs.

CREATE TABLE "workspace" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "features" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "equipped" INTEGER NOT NULL DEFAULT 0,
    "filled" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "seats" INTEGER,
    "purge_at" TIMESTAMP(3),
    "purging_at" TIMESTAMP(3),
    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "svc_workspace_export" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT,
    "content_hash" TEXT,
    "error" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3),
    CONSTRAINT "svc_workspace_export_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "workspace_counter" (
    "workspace_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "next" BIGINT NOT NULL,
    CONSTRAINT "workspace_counter_pkey" PRIMARY KEY ("workspace_id","name")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "installation" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    CONSTRAINT "installation_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "res_partner" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "complete_name" TEXT NOT NULL DEFAULT '',
    "is_company" BOOLEAN NOT NULL DEFAULT false,
    "type" TEXT DEFAULT 'contact',
    "parent_id" INTEGER,
    "email" TEXT,
    "phone" TEXT,
    "website" TEXT,
    "street" TEXT,
    "street2" TEXT,
    "zip" TEXT,
    "city" TEXT,
    "state_id" INTEGER,
    "country_id" INTEGER,
    "partner_latitude" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "partner_longitude" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "vat" TEXT,
    "company_registry" TEXT,
    "ref" TEXT,
    "barcode" TEXT,
    "function" TEXT,
    "employee" BOOLEAN NOT NULL DEFAULT false,
    "industry_id" INTEGER,
    "company_name" TEXT,
    "commercial_partner_id" INTEGER,
    "commercial_company_name" TEXT,
    "lang" TEXT DEFAULT 'en_US',
    "tz" TEXT,
    "comment" TEXT,
    "color" INTEGER NOT NULL DEFAULT 0,
    "customer_rank" INTEGER NOT NULL DEFAULT 0,
    "supplier_rank" INTEGER NOT NULL DEFAULT 0,
    "credit_limit" DOUBLE PRECISION,
    "image_1920" BYTEA,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "company_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_partner_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_users" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "login" TEXT NOT NULL,
    "password" TEXT,
    "partner_id" INTEGER NOT NULL,
    "company_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "lang" TEXT DEFAULT 'en_US',
    "tz" TEXT,
    "signature" TEXT,
    "notification_type" TEXT NOT NULL DEFAULT 'email',
    "action_id" INTEGER,
    "is_svc_agent" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_users_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_company" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "partner_id" INTEGER,
    "email" TEXT,
    "phone" TEXT,
    "website" TEXT,
    "currency_id" INTEGER,
    "parent_id" INTEGER,
    "parent_path" TEXT,
    "color" INTEGER NOT NULL DEFAULT 0,
    "primary_color" TEXT,
    "secondary_color" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_company_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_groups" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "external_id" TEXT,
    "comment" TEXT,
    "share" BOOLEAN NOT NULL DEFAULT false,
    "privilege_id" INTEGER,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "api_key_duration" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_groups_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_groups_users_rel" (
    "workspace_id" INTEGER NOT NULL,
    "uid" INTEGER NOT NULL,
    "gid" INTEGER NOT NULL,
    CONSTRAINT "res_groups_users_rel_pkey" PRIMARY KEY ("workspace_id","uid","gid")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_groups_implied_rel" (
    "workspace_id" INTEGER NOT NULL,
    "gid" INTEGER NOT NULL,
    "hid" INTEGER NOT NULL,
    CONSTRAINT "res_groups_implied_rel_pkey" PRIMARY KEY ("workspace_id","gid","hid")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_company_users_rel" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "cid" INTEGER NOT NULL,
    CONSTRAINT "res_company_users_rel_pkey" PRIMARY KEY ("workspace_id","user_id","cid")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_groups_privilege" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "placeholder" TEXT,
    "category_id" INTEGER,
    "sequence" INTEGER NOT NULL DEFAULT 100,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_groups_privilege_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_partner_category" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "parent_id" INTEGER,
    "parent_path" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_partner_category_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_partner_res_partner_category_rel" (
    "workspace_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,
    CONSTRAINT "res_partner_res_partner_category_rel_pkey" PRIMARY KEY ("workspace_id","partner_id","category_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_partner_industry" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "full_name" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_partner_industry_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_users_log" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "res_users_log_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_api_key" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" INTEGER,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "domain_id" INTEGER,
    "expires_at" TIMESTAMP(3),
    "revoked_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tool_groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "calls_per_day" INTEGER,
    "sends_per_day" INTEGER,
    "changes_per_day" INTEGER,
    CONSTRAINT "svc_api_key_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_api_key_use" (
    "workspace_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_api_key_use_pkey" PRIMARY KEY ("workspace_id","key_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_session" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "key_id" INTEGER,
    "user_agent" TEXT,
    "address" TEXT,
    CONSTRAINT "svc_session_pkey" PRIMARY KEY ("workspace_id","hash")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_session_use" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_session_use_pkey" PRIMARY KEY ("workspace_id","hash")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mcp_log" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER,
    "tool" TEXT NOT NULL,
    "model_name" TEXT,
    "method" TEXT,
    "success" BOOLEAN NOT NULL,
    "error" TEXT,
    "summary" TEXT,
    "record_count" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "request_id" TEXT,
    "agent_id" INTEGER,
    "client_name" TEXT,
    "revision" TEXT,
    "outcome" TEXT,
    "undo_token" TEXT,
    CONSTRAINT "svc_mcp_log_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_audit_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER,
    "channel" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "success" BOOLEAN NOT NULL,
    "error" TEXT,
    "summary" TEXT,
    "request_id" TEXT,
    CONSTRAINT "svc_audit_event_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_sign_in_failure" (
    "workspace_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_sign_in_failure_pkey" PRIMARY KEY ("workspace_id","what")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_audit_block" (
    "workspace_id" INTEGER NOT NULL,
    "log" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "after" TIMESTAMP(3),
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "lines" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_audit_block_pkey" PRIMARY KEY ("workspace_id","log","number")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "topic" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dispatched_at" TIMESTAMP(3),
    CONSTRAINT "svc_event_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_bank" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "bic" TEXT,
    "street" TEXT,
    "street2" TEXT,
    "zip" TEXT,
    "city" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_bank_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_partner_bank" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "acc_number" TEXT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "acc_holder_name" TEXT,
    "bank_id" INTEGER,
    "currency_id" INTEGER,
    "company_id" INTEGER,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "allow_out_payment" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_partner_bank_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_users_apikeys_description" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "expiration_date" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "res_users_apikeys_description_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_users_identitycheck" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "description_id" INTEGER NOT NULL,
    "checked_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "res_users_identitycheck_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_user_invitation" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "company_id" INTEGER,
    "user_id" INTEGER,
    "mail_count" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "accepted_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    CONSTRAINT "svc_user_invitation_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_user_invitation_group_rel" (
    "workspace_id" INTEGER NOT NULL,
    "invitation_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    CONSTRAINT "svc_user_invitation_group_rel_pkey" PRIMARY KEY ("workspace_id","invitation_id","group_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_user_invitation_mailbox_rel" (
    "workspace_id" INTEGER NOT NULL,
    "invitation_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    CONSTRAINT "svc_user_invitation_mailbox_rel_pkey" PRIMARY KEY ("workspace_id","invitation_id","account_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_view_preferences" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "theme" TEXT NOT NULL,
    "density" TEXT NOT NULL,
    "shortcuts" BOOLEAN NOT NULL,
    CONSTRAINT "svc_view_preferences_pkey" PRIMARY KEY ("workspace_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_saved_view" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'list',
    "where" JSONB,
    "order_by" JSONB,
    "group_by" JSONB,
    "columns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" JSONB,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_saved_view_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_ui_state" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "values" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "svc_ui_state_pkey" PRIMARY KEY ("workspace_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_record_undo" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "lang" TEXT,
    "company_id" INTEGER,
    "records" JSONB NOT NULL,
    "record_count" INTEGER NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_record_undo_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_notification" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "details" TEXT,
    "model" TEXT,
    "res_id" INTEGER,
    "read_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_notification_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Models and fields.

CREATE TABLE "ir_model" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "info" TEXT,
    "order" TEXT NOT NULL DEFAULT 'id',
    "state" TEXT NOT NULL DEFAULT 'manual',
    "transient" BOOLEAN NOT NULL DEFAULT false,
    "abstract" BOOLEAN NOT NULL DEFAULT false,
    "is_mail_thread" BOOLEAN NOT NULL DEFAULT false,
    "is_mail_activity" BOOLEAN NOT NULL DEFAULT false,
    "modules" TEXT NOT NULL DEFAULT '',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_model_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_model_fields" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT 'x_',
    "model" TEXT NOT NULL,
    "model_id" INTEGER NOT NULL,
    "field_description" TEXT NOT NULL DEFAULT '',
    "help" TEXT,
    "ttype" TEXT NOT NULL,
    "relation" TEXT,
    "relation_field" TEXT,
    "relation_table" TEXT,
    "column1" TEXT,
    "column2" TEXT,
    "currency_field" TEXT,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "readonly" BOOLEAN NOT NULL DEFAULT false,
    "index" BOOLEAN NOT NULL DEFAULT false,
    "store" BOOLEAN NOT NULL DEFAULT true,
    "copied" BOOLEAN NOT NULL DEFAULT true,
    "translate" TEXT,
    "size" INTEGER NOT NULL DEFAULT 0,
    "on_delete" TEXT,
    "domain" TEXT DEFAULT '[]',
    "selection" TEXT,
    "related" TEXT,
    "compute" TEXT,
    "depends" TEXT,
    "company_dependent" BOOLEAN NOT NULL DEFAULT false,
    "tracking" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'manual',
    "modules" TEXT NOT NULL DEFAULT '',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "group_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    CONSTRAINT "ir_model_fields_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- One number names a model, whether it is the product's or a workspace's own.
CREATE TABLE "ir_model_stock" (
    "id" INTEGER NOT NULL DEFAULT nextval('ir_model_id_seq'),
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "info" TEXT,
    "order" TEXT NOT NULL DEFAULT 'id',
    "state" TEXT NOT NULL DEFAULT 'base',
    "transient" BOOLEAN NOT NULL DEFAULT false,
    "abstract" BOOLEAN NOT NULL DEFAULT false,
    "is_mail_thread" BOOLEAN NOT NULL DEFAULT false,
    "is_mail_activity" BOOLEAN NOT NULL DEFAULT false,
    "modules" TEXT NOT NULL DEFAULT '',
    "since" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_model_stock_pkey" PRIMARY KEY ("id")
);

-- Fields are numbered as models are.
CREATE TABLE "ir_field_stock" (
    "id" INTEGER NOT NULL DEFAULT nextval('ir_model_fields_id_seq'),
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "model_id" INTEGER NOT NULL,
    "field_description" TEXT NOT NULL DEFAULT '',
    "help" TEXT,
    "ttype" TEXT NOT NULL,
    "relation" TEXT,
    "relation_field" TEXT,
    "relation_table" TEXT,
    "column1" TEXT,
    "column2" TEXT,
    "currency_field" TEXT,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "readonly" BOOLEAN NOT NULL DEFAULT false,
    "index" BOOLEAN NOT NULL DEFAULT false,
    "store" BOOLEAN NOT NULL DEFAULT true,
    "copied" BOOLEAN NOT NULL DEFAULT true,
    "translate" TEXT,
    "size" INTEGER NOT NULL DEFAULT 0,
    "on_delete" TEXT,
    "domain" TEXT DEFAULT '[]',
    "selection" TEXT,
    "related" TEXT,
    "compute" TEXT,
    "depends" TEXT,
    "company_dependent" BOOLEAN NOT NULL DEFAULT false,
    "tracking" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'base',
    "modules" TEXT NOT NULL DEFAULT '',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_field_stock_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ir_model_fields_selection" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "field_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 1000,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_model_fields_selection_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_record" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "model_id" INTEGER NOT NULL,
    "custom" JSONB NOT NULL DEFAULT '{}',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_record_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_record_link" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "self_id" BIGINT NOT NULL,
    "other_id" BIGINT NOT NULL,
    CONSTRAINT "ir_record_link_pkey" PRIMARY KEY ("workspace_id","field_id","self_id","other_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_field_index" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "record_id" BIGINT NOT NULL,
    CONSTRAINT "ir_field_index_pkey" PRIMARY KEY ("workspace_id","field_id","record_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_field_file" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "record_id" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,
    CONSTRAINT "ir_field_file_pkey" PRIMARY KEY ("workspace_id","field_id","record_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The beginning and the length of a file are read without the rest of it.
ALTER TABLE "ir_field_file" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- Access rights, apps, parameters, files and schedules.

CREATE TABLE "ir_model_data" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "module" TEXT NOT NULL DEFAULT '',
    "model" TEXT NOT NULL,
    "res_id" BIGINT,
    "noupdate" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_model_data_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_model_access" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "model_id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "perm_read" BOOLEAN NOT NULL DEFAULT false,
    "perm_write" BOOLEAN NOT NULL DEFAULT false,
    "perm_create" BOOLEAN NOT NULL DEFAULT false,
    "perm_unlink" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_model_access_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_rule" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "model_id" INTEGER NOT NULL,
    "domain_force" TEXT,
    "perm_read" BOOLEAN NOT NULL DEFAULT true,
    "perm_write" BOOLEAN NOT NULL DEFAULT true,
    "perm_create" BOOLEAN NOT NULL DEFAULT true,
    "perm_unlink" BOOLEAN NOT NULL DEFAULT true,
    "fault" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_rule_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "rule_group_rel" (
    "workspace_id" INTEGER NOT NULL,
    "rule_group_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    CONSTRAINT "rule_group_rel_pkey" PRIMARY KEY ("workspace_id","rule_group_id","group_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_module_module" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "shortdesc" TEXT,
    "summary" TEXT,
    "description" TEXT,
    "category_id" INTEGER,
    "author" TEXT,
    "website" TEXT,
    "state" TEXT NOT NULL DEFAULT 'uninstalled',
    "application" BOOLEAN NOT NULL DEFAULT false,
    "auto_install" BOOLEAN NOT NULL DEFAULT false,
    "latest_version" TEXT,
    "published_version" TEXT,
    "license" TEXT,
    "icon" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 100,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "to_buy" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_module_module_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_module_category" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_module_category_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_module_module_dependency" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "module_id" INTEGER NOT NULL,
    "auto_install_required" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_module_module_dependency_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_config_parameter" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_config_parameter_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_attachment" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "res_model" TEXT,
    "res_field" TEXT,
    "res_id" BIGINT,
    "company_id" INTEGER,
    "type" TEXT NOT NULL DEFAULT 'binary',
    "url" TEXT,
    "public" BOOLEAN NOT NULL DEFAULT false,
    "is_internal" BOOLEAN NOT NULL DEFAULT false,
    "access_token" TEXT,
    "store_hash" TEXT,
    "file_size" INTEGER NOT NULL DEFAULT 0,
    "checksum" TEXT,
    "mimetype" TEXT,
    "index_content" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "ir_attachment_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_upload" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "checksum" TEXT,
    "hash" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_upload_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_blob" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sealed" BOOLEAN NOT NULL,
    "store" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "put_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "marked_at" TIMESTAMP(3),
    "copied_at" TIMESTAMP(3),
    CONSTRAINT "svc_blob_pkey" PRIMARY KEY ("workspace_id","hash")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_blob_chunk" (
    "workspace_id" INTEGER NOT NULL,
    "place" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    CONSTRAINT "svc_blob_chunk_pkey" PRIMARY KEY ("workspace_id","place","no")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Sealed content cannot be compressed, and a part of what is not compressed can be read alone.
ALTER TABLE "svc_blob_chunk" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE TABLE "svc_blob_key" (
    "workspace_id" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    CONSTRAINT "svc_blob_key_pkey" PRIMARY KEY ("workspace_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_cron" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "cron_name" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "model_id" INTEGER,
    "code" TEXT,
    "interval_number" INTEGER NOT NULL DEFAULT 1,
    "interval_type" TEXT NOT NULL DEFAULT 'months',
    "nextcall" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastcall" TIMESTAMP(3),
    "priority" INTEGER NOT NULL DEFAULT 5,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "first_failure_date" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_cron_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_sequence" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT,
    "implementation" TEXT NOT NULL DEFAULT 'standard',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "prefix" TEXT,
    "suffix" TEXT,
    "number_next" INTEGER NOT NULL DEFAULT 1,
    "number_increment" INTEGER NOT NULL DEFAULT 1,
    "padding" INTEGER NOT NULL DEFAULT 0,
    "company_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "ir_sequence_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_ui_menu" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" INTEGER,
    "action" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "web_icon" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_ui_menu_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_actions_report" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "report_name" TEXT NOT NULL,
    "report_type" TEXT NOT NULL DEFAULT 'qweb-pdf',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_actions_report_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_actions_act_window" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'ir.actions.act_window',
    "path" TEXT,
    "res_model" TEXT NOT NULL,
    "view_mode" TEXT NOT NULL DEFAULT 'list,form',
    "domain" TEXT,
    "context" TEXT NOT NULL DEFAULT '{}',
    "target" TEXT DEFAULT 'current',
    "limit" INTEGER NOT NULL DEFAULT 80,
    "help" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "ir_actions_act_window_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "base_module_uninstall" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "show_all" BOOLEAN NOT NULL DEFAULT false,
    "impacted" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "impacted_models" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "base_module_uninstall_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "base_module_uninstall_rel" (
    "workspace_id" INTEGER NOT NULL,
    "wizard_id" INTEGER NOT NULL,
    "module_id" INTEGER NOT NULL,
    CONSTRAINT "base_module_uninstall_rel_pkey" PRIMARY KEY ("workspace_id","wizard_id","module_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Countries, currencies and languages.

CREATE TABLE "res_country" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "address_format" TEXT DEFAULT '%(street)s
%(street2)s
%(city)s %(state_code)s %(zip)s
%(country_name)s',
    "currency_id" INTEGER,
    "phone_code" INTEGER NOT NULL DEFAULT 0,
    "name_position" TEXT DEFAULT 'before',
    "vat_label" TEXT,
    "state_required" BOOLEAN NOT NULL DEFAULT false,
    "zip_required" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_country_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_country_state" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "country_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_country_state_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_currency" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "full_name" TEXT,
    "symbol" TEXT NOT NULL,
    "iso_numeric" INTEGER NOT NULL DEFAULT 0,
    "rounding" DOUBLE PRECISION NOT NULL DEFAULT 0.01,
    "position" TEXT DEFAULT 'after',
    "currency_unit_label" TEXT,
    "currency_subunit_label" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_currency_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_currency_rate" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "currency_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_currency_rate_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_lang" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "iso_code" TEXT,
    "url_code" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "direction" TEXT NOT NULL DEFAULT 'ltr',
    "date_format" TEXT NOT NULL DEFAULT '%m/%d/%Y',
    "time_format" TEXT NOT NULL DEFAULT '%H:%M:%S',
    "week_start" TEXT NOT NULL DEFAULT '7',
    "grouping" TEXT NOT NULL DEFAULT '[3,0]',
    "decimal_point" TEXT NOT NULL DEFAULT '.',
    "thousands_sep" TEXT DEFAULT ',',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "res_lang_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "base_language_install" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "overwrite" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "base_language_install_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "res_lang_install_rel" (
    "workspace_id" INTEGER NOT NULL,
    "language_wizard_id" INTEGER NOT NULL,
    "lang_id" INTEGER NOT NULL,
    CONSTRAINT "res_lang_install_rel_pkey" PRIMARY KEY ("workspace_id","language_wizard_id","lang_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Messages, followers and activities of records.

CREATE TABLE "mail_message" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "subject" TEXT,
    "date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" TEXT DEFAULT '',
    "model" TEXT,
    "res_id" BIGINT,
    "message_type" TEXT NOT NULL DEFAULT 'comment',
    "origin" TEXT,
    "subtype_id" INTEGER,
    "is_internal" BOOLEAN NOT NULL DEFAULT false,
    "author_id" INTEGER,
    "email_from" TEXT,
    "parent_id" BIGINT,
    "message_id" TEXT,
    "reply_to" TEXT,
    "pinned_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "mail_message_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_message_res_partner_rel" (
    "workspace_id" INTEGER NOT NULL,
    "mail_message_id" BIGINT NOT NULL,
    "res_partner_id" INTEGER NOT NULL,
    CONSTRAINT "mail_message_res_partner_rel_pkey" PRIMARY KEY ("workspace_id","mail_message_id","res_partner_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "message_attachment_rel" (
    "workspace_id" INTEGER NOT NULL,
    "message_id" BIGINT NOT NULL,
    "attachment_id" BIGINT NOT NULL,
    CONSTRAINT "message_attachment_rel_pkey" PRIMARY KEY ("workspace_id","message_id","attachment_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_message_subtype" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "internal" BOOLEAN NOT NULL DEFAULT false,
    "parent_id" INTEGER,
    "relation_field" TEXT,
    "res_model" TEXT,
    "default" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 1,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "mail_message_subtype_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_tracking_value" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "field_id" INTEGER,
    "old_value_integer" INTEGER,
    "old_value_float" DOUBLE PRECISION,
    "old_value_char" TEXT,
    "old_value_text" TEXT,
    "old_value_datetime" TIMESTAMP(3),
    "new_value_integer" INTEGER,
    "new_value_float" DOUBLE PRECISION,
    "new_value_char" TEXT,
    "new_value_text" TEXT,
    "new_value_datetime" TIMESTAMP(3),
    "currency_id" INTEGER,
    "mail_message_id" BIGINT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "mail_tracking_value_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_followers" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "res_model" TEXT NOT NULL,
    "res_id" BIGINT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "mail_followers_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_followers_subtype_rel" (
    "workspace_id" INTEGER NOT NULL,
    "follower_id" INTEGER NOT NULL,
    "subtype_id" INTEGER NOT NULL,
    CONSTRAINT "mail_followers_subtype_rel_pkey" PRIMARY KEY ("workspace_id","follower_id","subtype_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_activity" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "res_model_id" INTEGER,
    "res_model" TEXT,
    "res_id" BIGINT,
    "res_name" TEXT,
    "activity_type_id" INTEGER,
    "summary" TEXT,
    "note" TEXT,
    "date_deadline" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "date_done" DATE,
    "feedback" TEXT,
    "automated" BOOLEAN NOT NULL DEFAULT false,
    "user_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "previous_activity_type_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "mail_activity_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "activity_attachment_rel" (
    "workspace_id" INTEGER NOT NULL,
    "activity_id" INTEGER NOT NULL,
    "attachment_id" BIGINT NOT NULL,
    CONSTRAINT "activity_attachment_rel_pkey" PRIMARY KEY ("workspace_id","activity_id","attachment_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "mail_activity_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "summary" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "delay_count" INTEGER NOT NULL DEFAULT 0,
    "delay_unit" TEXT NOT NULL DEFAULT 'days',
    "delay_from" TEXT NOT NULL DEFAULT 'previous_activity',
    "icon" TEXT,
    "decoration_type" TEXT,
    "res_model" TEXT,
    "triggered_next_type_id" INTEGER,
    "chaining_type" TEXT NOT NULL DEFAULT 'suggest',
    "category" TEXT DEFAULT 'default',
    "default_user_id" INTEGER,
    "default_note" TEXT,
    "keep_done" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "mail_activity_type_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Agents that call the MCP server.

CREATE TABLE "svc_agent" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "client_name" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_call_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "call_count" INTEGER NOT NULL DEFAULT 0,
    "day" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "calls_of_day" INTEGER NOT NULL DEFAULT 0,
    "sends_of_day" INTEGER NOT NULL DEFAULT 0,
    "changes_of_day" INTEGER NOT NULL DEFAULT 0,
    "minute" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "minute_calls" INTEGER NOT NULL DEFAULT 0,
    "minute_tools" JSONB NOT NULL DEFAULT '{}',
    "verdict" TEXT NOT NULL DEFAULT '',
    "revoked_at" TIMESTAMP(3),
    CONSTRAINT "svc_agent_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_agent_held" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "model_name" TEXT,
    "summary" TEXT,
    "preview" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "decider_id" INTEGER,
    "decided_at" TIMESTAMP(3),
    "reason" TEXT,
    "error" TEXT,
    "record_count" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "svc_agent_held_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_agent_policy" (
    "workspace_id" INTEGER NOT NULL,
    "confirmation" TEXT NOT NULL DEFAULT 'agent',
    "holds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "approvers" TEXT NOT NULL DEFAULT 'administrators',
    "calls_per_day" INTEGER,
    "sends_per_day" INTEGER,
    "changes_per_day" INTEGER,
    "calls_per_minute" INTEGER,
    CONSTRAINT "svc_agent_policy_pkey" PRIMARY KEY ("workspace_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_agent_spent" (
    "workspace_id" INTEGER NOT NULL,
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_agent_spent_pkey" PRIMARY KEY ("workspace_id","nonce")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- OAuth.

CREATE TABLE "svc_connected_agent" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "grant_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "redirect_host" TEXT NOT NULL,
    "scopes" TEXT[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "revoked_at" TIMESTAMP(3),
    CONSTRAINT "svc_connected_agent_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_connected_agent_use" (
    "workspace_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,
    "calls" BIGINT NOT NULL,
    CONSTRAINT "svc_connected_agent_use_pkey" PRIMARY KEY ("workspace_id","agent_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_oauth_payload" (
    "workspace_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "grant_hash" TEXT,
    "consumed_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_oauth_payload_pkey" PRIMARY KEY ("workspace_id","kind","hash")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- What workers share.

-- Few rows that change often: room in their pages lets a change that keeps `next_at` stay in its page.
CREATE TABLE "svc_due" (
    "workspace_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "next_at" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "svc_due_pkey" PRIMARY KEY ("workspace_id","kind")
) WITH (autovacuum_analyze_scale_factor = 0.02, fillfactor = 50);

CREATE TABLE "svc_worker" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "seen_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_worker_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "svc_app_removal" (
    "workspace_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "apps" TEXT[],
    "plan" JSONB NOT NULL,
    "total" BIGINT NOT NULL,
    "deleted" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMP(3) NOT NULL,
    "leased_until" TIMESTAMP(3) NOT NULL,
    "ended_at" TIMESTAMP(3),
    CONSTRAINT "svc_app_removal_pkey" PRIMARY KEY ("workspace_id","name")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Changes of records, for subscriptions.

CREATE TABLE "svc_change" (
    "workspace_id" INTEGER NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL,
    "topic" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ids" BIGINT[],
    "many" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_change_pkey" PRIMARY KEY ("workspace_id","xid","seq")
);

CREATE TABLE "svc_live" (
    "topic" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "since" BIGINT,
    CONSTRAINT "svc_live_pkey" PRIMARY KEY ("topic","workspace_id")
);

-- Responses kept for repeated requests.

CREATE TABLE "svc_replay" (
    "workspace_id" INTEGER NOT NULL,
    "principal" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_replay_pkey" PRIMARY KEY ("workspace_id","principal","key")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Emails, their domains and suppressions.

CREATE TABLE "svc_domain" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'NOT_STARTED',
    "region" TEXT NOT NULL,
    "click_tracking" BOOLEAN NOT NULL DEFAULT false,
    "open_tracking" BOOLEAN NOT NULL DEFAULT false,
    "public_key" TEXT NOT NULL DEFAULT '',
    "dkim_selector" TEXT,
    "dkim_status" TEXT,
    "spf_details" TEXT,
    "dmarc_added" BOOLEAN NOT NULL DEFAULT false,
    "is_verifying" BOOLEAN NOT NULL DEFAULT false,
    "error_message" TEXT,
    "subdomain" TEXT,
    "dkim_tokens" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "dkim_private" TEXT,
    "dkim_next_selector" TEXT,
    "dkim_next_public" TEXT,
    "dkim_next_private" TEXT,
    "dkim_former_selector" TEXT,
    "dkim_former_public" TEXT,
    "dkim_former_until" TIMESTAMP(3),
    "dns_seen" JSONB,
    "checked_at" TIMESTAMP(3),
    "claimed_name" TEXT GENERATED ALWAYS AS (CASE WHEN "status" = 'SUCCESS' THEN "name" END) STORED,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_domain_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "domain_claim" (
    "name" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    CONSTRAINT "domain_claim_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "svc_email" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "api_key_id" INTEGER,
    "domain_id" INTEGER,
    "from" TEXT NOT NULL,
    "to" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "cc" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "suppressed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reply_to" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "headers" JSONB,
    "attachments" JSONB,
    "content_bytes" INTEGER,
    "template_id" TEXT,
    "variables" JSONB,
    "in_reply_to_id" TEXT,
    "mailbox_id" INTEGER,
    "tags" JSONB,
    "metadata" JSONB,
    "campaign_id" INTEGER,
    "contact_id" INTEGER,
    "scheduled_at" TIMESTAMP(3),
    "latest_status" TEXT NOT NULL DEFAULT 'QUEUED',
    "state" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "pending" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "lease_until" TIMESTAMP(3),
    "lease_by" TEXT,
    "provider_id" TEXT,
    "sent_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_email_pkey" PRIMARY KEY ("workspace_id","id"),
    CONSTRAINT "svc_email_state_check" CHECK ("state" IN
        ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled', 'suppressed'))
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_email_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "email_id" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "data" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_email_event_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_idempotency" (
    "workspace_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "response" JSONB NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_idempotency_pkey" PRIMARY KEY ("workspace_id","key")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_suppression" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT 'MANUAL',
    "source" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3),
    CONSTRAINT "svc_suppression_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_soft_bounce" (
    "workspace_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "times" TIMESTAMP(3)[] NOT NULL DEFAULT ARRAY[]::TIMESTAMP(3)[],
    "last_at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "svc_soft_bounce_pkey" PRIMARY KEY ("workspace_id","email")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_outbox" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "email_id" BIGINT NOT NULL,
    "recipients" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "raw" BYTEA NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_outbox_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Email templates.

CREATE TABLE "svc_template" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "content" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "raw" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_template_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_template_version" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "template_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "content" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "raw" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_template_version_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Contact books and campaigns.

CREATE TABLE "svc_contact_book" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "emoji" TEXT NOT NULL DEFAULT '📙',
    "properties" JSONB NOT NULL DEFAULT '{}',
    "variables" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "double_opt_in" BOOLEAN NOT NULL DEFAULT false,
    "double_opt_in_from" TEXT,
    "double_opt_in_subject" TEXT,
    "double_opt_in_content" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_contact_book_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_contact" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "book_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "unsubscribe_reason" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_contact_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_campaign" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "preview_text" TEXT,
    "book_id" INTEGER,
    "html" TEXT,
    "content" TEXT,
    "reply_to" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status" TEXT NOT NULL DEFAULT 'DRAFT',
    "reason" TEXT,
    "scheduled_at" TIMESTAMP(3),
    "batch_size" INTEGER NOT NULL DEFAULT 500,
    "batch_window_minutes" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "hard_bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "last_contact_id" INTEGER NOT NULL DEFAULT 0,
    "batch_left" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_campaign_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Webhooks, notices of providers and usage.

CREATE TABLE "svc_webhook" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "domain_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "status" TEXT NOT NULL DEFAULT 'ACTIVE',
    "secret" TEXT NOT NULL,
    "old_secret" TEXT,
    "old_until" TIMESTAMP(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMP(3),
    "last_failure_at" TIMESTAMP(3),
    "lease_by" TEXT,
    "lease_until" TIMESTAMP(3),
    "misses" INTEGER NOT NULL DEFAULT 0,
    "rests_until" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_webhook_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_webhook_call" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "webhook_id" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "email_id" BIGINT,
    "email_status" TEXT,
    "data" JSONB,
    "event_id" BIGINT,
    "payload" JSONB,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "response_status" INTEGER,
    "response_text" TEXT,
    "response_ms" INTEGER,
    "last_error" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_webhook_call_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_provider_event" (
    "id" BIGSERIAL NOT NULL,
    "message_id" TEXT NOT NULL,
    "workspace_id" INTEGER,
    "email_id" BIGINT,
    "topic" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMP(3),
    CONSTRAINT "svc_provider_event_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "svc_daily_usage" (
    "workspace_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "domain_id" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "hard_bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "svc_daily_usage_pkey" PRIMARY KEY ("workspace_id","day","domain_id","slot")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Mailboxes.

CREATE TABLE "svc_mail_account" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'personal',
    "owner_id" INTEGER,
    "company_id" INTEGER,
    "signature" TEXT NOT NULL DEFAULT '',
    "event_detail" TEXT NOT NULL DEFAULT 'none',
    "quota" BIGINT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_account_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Rows that change with each message have room beside them, so that no index has to change.
CREATE TABLE "svc_mail_clock" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "modseq" BIGINT NOT NULL DEFAULT 0,
    "used_bytes" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "svc_mail_clock_pkey" PRIMARY KEY ("workspace_id","account_id")
) WITH (autovacuum_analyze_scale_factor = 0.02, fillfactor = 50);

CREATE TABLE "svc_mail_member" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_member_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_address" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'main',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_address_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Rows that change with each message have room beside them, so that no index has to change.
CREATE TABLE "svc_mail_folder" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "total" INTEGER NOT NULL DEFAULT 0,
    "unread" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_folder_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02, fillfactor = 50);

-- Rows that change with each message have room beside them, so that no index has to change.
CREATE TABLE "svc_mail_bucket" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    CONSTRAINT "svc_mail_bucket_pkey" PRIMARY KEY ("workspace_id","account_id","folder_id","day")
) WITH (autovacuum_analyze_scale_factor = 0.02, fillfactor = 70);

CREATE TABLE "svc_mail_message" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "raw_hash" TEXT NOT NULL,
    "raw_whole" BOOLEAN NOT NULL DEFAULT true,
    "below_hash" BYTEA,
    "size" INTEGER NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "from_name" TEXT NOT NULL DEFAULT '',
    "email_from" TEXT NOT NULL DEFAULT '',
    "recipients" JSONB NOT NULL DEFAULT '{}',
    "date_header" TIMESTAMP(3),
    "message_id" TEXT,
    "in_reply_to" TEXT,
    "references" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "list_id" TEXT,
    "snippet" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL DEFAULT '',
    "has_html" BOOLEAN NOT NULL DEFAULT false,
    "attachment_count" INTEGER NOT NULL DEFAULT 0,
    "is_automatic" BOOLEAN NOT NULL DEFAULT false,
    "verdicts" JSONB,
    "state" TEXT NOT NULL DEFAULT 'parsed',
    "parser" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_message_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_part" (
    "workspace_id" INTEGER NOT NULL,
    "content_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "charset" TEXT,
    "cid" TEXT,
    "role" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "body_from" INTEGER NOT NULL,
    "body_to" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    CONSTRAINT "svc_mail_part_pkey" PRIMARY KEY ("workspace_id","content_id","number")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Rows that change with each message have room beside them, so that no index has to change.
CREATE TABLE "svc_mail_entry" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "content_id" BIGINT NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "was_folder_id" INTEGER,
    "thread_id" BIGINT NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,
    "message_key" BYTEA NOT NULL,
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_starred" BOOLEAN NOT NULL DEFAULT false,
    "is_answered" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL,
    "envelope" JSONB,
    "email_id" BIGINT,
    "modseq" BIGINT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_entry_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02, fillfactor = 90);

-- Rows that change with each message have room beside them, so that no index has to change.
CREATE TABLE "svc_mail_label" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_label_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02, fillfactor = 50);

CREATE TABLE "svc_mail_entry_label" (
    "workspace_id" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "label_id" INTEGER NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,
    "folder_id" INTEGER NOT NULL,
    CONSTRAINT "svc_mail_entry_label_pkey" PRIMARY KEY ("workspace_id","entry_id","label_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_label_bucket" (
    "workspace_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    CONSTRAINT "svc_mail_label_bucket_pkey" PRIMARY KEY ("workspace_id","label_id","folder_id","day")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_thread_ref" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "ref" BYTEA NOT NULL,
    "subject" BYTEA NOT NULL,
    "thread_id" BIGINT NOT NULL,
    CONSTRAINT "svc_mail_thread_ref_pkey" PRIMARY KEY ("workspace_id","account_id","ref","subject")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_search" (
    "workspace_id" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "account_id" BIGINT NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,
    "words" tsvector NOT NULL,
    CONSTRAINT "svc_mail_search_pkey" PRIMARY KEY ("workspace_id","entry_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_change" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "modseq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "created" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "updated" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "destroyed" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "folders" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "threads" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_change_pkey" PRIMARY KEY ("workspace_id","account_id","modseq")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_draft" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "to" TEXT NOT NULL DEFAULT '',
    "cc" TEXT NOT NULL DEFAULT '',
    "bcc" TEXT NOT NULL DEFAULT '',
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL DEFAULT 'new',
    "in_reply_to" BIGINT,
    "from_account_id" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_draft_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_staged" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "mimetype" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "outgoing_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_staged_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_outgoing" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "from_address" TEXT NOT NULL DEFAULT '',
    "to" TEXT NOT NULL,
    "cc" TEXT NOT NULL DEFAULT '',
    "bcc" TEXT NOT NULL DEFAULT '',
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "body_html" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL DEFAULT 'new',
    "in_reply_to" BIGINT,
    "attachment_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "add_signature" BOOLEAN NOT NULL DEFAULT true,
    "send_at" TIMESTAMP(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "lease" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_outgoing_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_job" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "total" INTEGER,
    "done" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "server" TEXT,
    "code" TEXT,
    "error" TEXT,
    "plan" JSONB NOT NULL DEFAULT '{}',
    "sealed" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "turn" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "lease" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMP(3),
    CONSTRAINT "svc_mail_job_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_job_part" (
    "workspace_id" INTEGER NOT NULL,
    "job_id" INTEGER NOT NULL,
    "no" INTEGER NOT NULL,
    "entry_ids" BIGINT[],
    CONSTRAINT "svc_mail_job_part_pkey" PRIMARY KEY ("workspace_id","job_id","no")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_rule" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "match_type" TEXT NOT NULL DEFAULT 'all',
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "actions" JSONB NOT NULL DEFAULT '[]',
    "by_admin" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_rule_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_block" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    CONSTRAINT "svc_mail_block_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_autoreply" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT false,
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "date_from" DATE,
    "date_until" DATE,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_autoreply_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_autoreply_sent" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "week" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_autoreply_sent_pkey" PRIMARY KEY ("workspace_id","account_id","sender","revision","week")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_send_log" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email_id" BIGINT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "recipients" INTEGER NOT NULL,
    CONSTRAINT "svc_mail_send_log_pkey" PRIMARY KEY ("workspace_id","account_id","email_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_correspondent" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "uses" INTEGER NOT NULL DEFAULT 0,
    "last_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_correspondent_pkey" PRIMARY KEY ("workspace_id","account_id","email")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_feature" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "company_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "is_on" BOOLEAN NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "svc_mail_feature_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_policy" (
    "workspace_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    CONSTRAINT "svc_mail_policy_pkey" PRIMARY KEY ("workspace_id","key")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_reserved" (
    "workspace_id" INTEGER NOT NULL,
    "local" TEXT NOT NULL,
    CONSTRAINT "svc_mail_reserved_pkey" PRIMARY KEY ("workspace_id","local")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_undo" (
    "workspace_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "calls" JSONB NOT NULL DEFAULT '[]',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_undo_pkey" PRIMARY KEY ("workspace_id","token")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_prefs" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "values" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "svc_mail_prefs_pkey" PRIMARY KEY ("workspace_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_intake" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "raw_hash" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "envelope_from" TEXT NOT NULL DEFAULT '',
    "client" JSONB,
    "verdicts" JSONB,
    "origin" TEXT,
    "received_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "svc_mail_intake_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "svc_mail_delivery" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "intake_id" BIGINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "suspected" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3) DEFAULT CURRENT_TIMESTAMP,
    "lease" TEXT,
    "error" TEXT,
    "entry_id" BIGINT,
    CONSTRAINT "svc_mail_delivery_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Websites.

CREATE TABLE "website" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT,
    "homepage_url" TEXT,
    "default_lang" TEXT NOT NULL DEFAULT 'en_US',
    "description" TEXT,
    "allow_scripts" BOOLEAN NOT NULL DEFAULT false,
    "form_mailbox" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "website_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "ir_ui_view" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT,
    "type" TEXT NOT NULL DEFAULT 'qweb',
    "arch" TEXT NOT NULL,
    "website_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "priority" INTEGER NOT NULL DEFAULT 16,
    "visibility" TEXT,
    "visibility_group_id" INTEGER,
    "website_meta_title" TEXT,
    "website_meta_description" TEXT,
    "website_meta_og_img" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "ir_ui_view_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "website_version" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "view_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "lang" TEXT NOT NULL DEFAULT 'en_US',
    "arch" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "website_version_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "website_page" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "view_id" INTEGER NOT NULL,
    "website_id" INTEGER,
    "is_published" BOOLEAN NOT NULL DEFAULT false,
    "website_indexed" BOOLEAN NOT NULL DEFAULT true,
    "date_publish" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "website_page_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "website_menu" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL DEFAULT '#',
    "page_id" INTEGER,
    "parent_id" INTEGER,
    "website_id" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "new_window" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "website_menu_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "website_rewrite" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "website_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "url_from" TEXT NOT NULL,
    "url_to" TEXT NOT NULL,
    "redirect_type" TEXT NOT NULL DEFAULT '302',
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    "custom" JSONB,
    CONSTRAINT "website_rewrite_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app product.

CREATE TABLE "product_template" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 1,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "type" TEXT NOT NULL DEFAULT 'consu',
    "list_price" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "standard_price" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "default_code" TEXT,
    "barcode" TEXT,
    "weight" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "volume" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "categ_id" INTEGER,
    "uom_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "sale_ok" BOOLEAN NOT NULL DEFAULT true,
    "purchase_ok" BOOLEAN NOT NULL DEFAULT true,
    "is_published" BOOLEAN NOT NULL DEFAULT false,
    "is_favorite" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "description_sale" TEXT,
    "description_purchase" TEXT,
    "invoice_policy" TEXT DEFAULT 'order',
    "service_type" TEXT DEFAULT 'manual',
    "color" INTEGER NOT NULL DEFAULT 0,
    "image_1920" BYTEA,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_template_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,
    CONSTRAINT "product_tax_rel_pkey" PRIMARY KEY ("workspace_id","product_id","tax_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_supplier_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,
    CONSTRAINT "product_supplier_tax_rel_pkey" PRIMARY KEY ("workspace_id","product_id","tax_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_tag_template_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_tmpl_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "product_tag_template_rel_pkey" PRIMARY KEY ("workspace_id","product_tmpl_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_product" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "product_tmpl_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "default_code" TEXT,
    "barcode" TEXT,
    "standard_price" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "weight" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "volume" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_product_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_category" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "complete_name" TEXT NOT NULL DEFAULT '',
    "parent_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_category_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "color" TEXT DEFAULT '#3C3C3C',
    "visible_to_customers" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_tag_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "uom_uom" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 100,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "relative_factor" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "relative_uom_id" INTEGER,
    "factor" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "uom_uom_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_pricelist" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 16,
    "currency_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_pricelist_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "product_pricelist_item" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "pricelist_id" INTEGER NOT NULL,
    "applied_on" TEXT NOT NULL DEFAULT '3_global',
    "categ_id" INTEGER,
    "product_tmpl_id" INTEGER,
    "product_id" INTEGER,
    "min_quantity" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "date_start" TIMESTAMP(3),
    "date_end" TIMESTAMP(3),
    "compute_price" TEXT NOT NULL DEFAULT 'fixed',
    "fixed_price" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "percent_price" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "base" TEXT NOT NULL DEFAULT 'list_price',
    "base_pricelist_id" INTEGER,
    "price_discount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_markup" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_round" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_surcharge" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_min_margin" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_max_margin" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "product_pricelist_item_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app crm.

CREATE TABLE "crm_lead" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'opportunity',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "partner_id" INTEGER,
    "partner_name" TEXT,
    "contact_name" TEXT,
    "function" TEXT,
    "email_from" TEXT,
    "email_normalized" TEXT,
    "email_cc" TEXT,
    "phone" TEXT,
    "phone_sanitized" TEXT,
    "website" TEXT,
    "lang_id" INTEGER,
    "street" TEXT,
    "street2" TEXT,
    "zip" TEXT,
    "city" TEXT,
    "state_id" INTEGER,
    "country_id" INTEGER,
    "user_id" INTEGER,
    "team_id" INTEGER,
    "company_id" INTEGER,
    "stage_id" INTEGER,
    "priority" TEXT DEFAULT '0',
    "expected_revenue" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "recurring_revenue" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "recurring_plan" INTEGER,
    "probability" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "automated_probability" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "lost_reason_id" INTEGER,
    "date_deadline" DATE,
    "date_open" TIMESTAMP(3),
    "date_closed" TIMESTAMP(3),
    "date_conversion" TIMESTAMP(3),
    "date_last_stage_update" TIMESTAMP(3),
    "date_automation_last" TIMESTAMP(3),
    "description" TEXT,
    "color" INTEGER NOT NULL DEFAULT 0,
    "referred" TEXT,
    "campaign_id" INTEGER,
    "source_id" INTEGER,
    "medium_id" INTEGER,
    "lead_properties" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_lead_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "lead_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "crm_tag_rel_pkey" PRIMARY KEY ("workspace_id","lead_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 1,
    "is_won" BOOLEAN NOT NULL DEFAULT false,
    "rotting_threshold_days" INTEGER NOT NULL DEFAULT 0,
    "requirements" TEXT,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_stage_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_stage_team_rel" (
    "workspace_id" INTEGER NOT NULL,
    "stage_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    CONSTRAINT "crm_stage_team_rel_pkey" PRIMARY KEY ("workspace_id","stage_id","team_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_tag_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_team" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "use_leads" BOOLEAN NOT NULL DEFAULT false,
    "use_opportunities" BOOLEAN NOT NULL DEFAULT true,
    "alias_name" TEXT,
    "alias_contact" TEXT NOT NULL DEFAULT 'everyone',
    "lead_properties_definition" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_team_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_team_member_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    CONSTRAINT "crm_team_member_rel_pkey" PRIMARY KEY ("workspace_id","team_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_lost_reason" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_lost_reason_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "crm_recurring_plan" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "number_of_months" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "crm_recurring_plan_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "utm_source" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "utm_source_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "utm_medium" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "utm_medium_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "utm_campaign" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "utm_campaign_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app sale.

CREATE TABLE "sale_order" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT 'New',
    "state" TEXT NOT NULL DEFAULT 'draft',
    "locked" BOOLEAN NOT NULL DEFAULT false,
    "origin" TEXT,
    "client_order_ref" TEXT,
    "reference" TEXT,
    "date_order" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "validity_date" DATE,
    "commitment_date" TIMESTAMP(3),
    "partner_id" INTEGER NOT NULL,
    "partner_invoice_id" INTEGER NOT NULL,
    "partner_shipping_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "team_id" INTEGER,
    "company_id" INTEGER NOT NULL,
    "pricelist_id" INTEGER,
    "currency_id" INTEGER NOT NULL,
    "payment_term_id" INTEGER,
    "opportunity_id" INTEGER,
    "campaign_id" INTEGER,
    "source_id" INTEGER,
    "medium_id" INTEGER,
    "note" TEXT,
    "amount_untaxed" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "amount_tax" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "amount_total" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "require_signature" BOOLEAN NOT NULL DEFAULT true,
    "require_payment" BOOLEAN NOT NULL DEFAULT false,
    "prepayment_percent" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "signed_by" TEXT,
    "signed_on" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "sale_order_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "sale_order_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "sale_order_tag_rel_pkey" PRIMARY KEY ("workspace_id","order_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "sale_order_line" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "display_type" TEXT,
    "product_id" INTEGER,
    "name" TEXT NOT NULL,
    "product_uom_qty" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "product_uom_id" INTEGER,
    "price_unit" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "discount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_subtotal" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "price_tax" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "price_total" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "qty_delivered" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "qty_invoiced" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "customer_lead" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "is_downpayment" BOOLEAN NOT NULL DEFAULT false,
    "is_expense" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "sale_order_line_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "sale_order_line_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,
    CONSTRAINT "sale_order_line_tax_rel_pkey" PRIMARY KEY ("workspace_id","line_id","tax_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "account_tax" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 1,
    "type_tax_use" TEXT NOT NULL DEFAULT 'sale',
    "amount_type" TEXT NOT NULL DEFAULT 'percent',
    "amount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_include" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "company_id" INTEGER NOT NULL,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "account_tax_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "account_payment_term" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "note" TEXT,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "account_payment_term_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app project.

CREATE TABLE "project_project" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "partner_id" INTEGER,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "stage_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "label_tasks" TEXT DEFAULT 'Tasks',
    "date_start" DATE,
    "date" DATE,
    "privacy_visibility" TEXT NOT NULL DEFAULT 'portal',
    "allow_milestones" BOOLEAN NOT NULL DEFAULT true,
    "allow_task_dependencies" BOOLEAN NOT NULL DEFAULT false,
    "last_update_status" TEXT NOT NULL DEFAULT 'to_define',
    "is_template" BOOLEAN NOT NULL DEFAULT false,
    "task_properties_definition" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_project_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,
    CONSTRAINT "project_task_type_rel_pkey" PRIMARY KEY ("workspace_id","project_id","type_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_project_tags_rel" (
    "workspace_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "project_project_tags_rel_pkey" PRIMARY KEY ("workspace_id","project_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "priority" TEXT DEFAULT '0',
    "state" TEXT NOT NULL DEFAULT '01_in_progress',
    "project_id" INTEGER,
    "stage_id" INTEGER,
    "parent_id" INTEGER,
    "milestone_id" INTEGER,
    "partner_id" INTEGER,
    "company_id" INTEGER,
    "email_cc" TEXT,
    "date_deadline" TIMESTAMP(3),
    "date_assign" TIMESTAMP(3),
    "date_end" TIMESTAMP(3),
    "date_last_stage_update" TIMESTAMP(3),
    "allocated_hours" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "color" INTEGER NOT NULL DEFAULT 0,
    "display_in_project" BOOLEAN NOT NULL DEFAULT true,
    "is_template" BOOLEAN NOT NULL DEFAULT false,
    "task_properties" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_task_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task_user_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    CONSTRAINT "project_task_user_rel_pkey" PRIMARY KEY ("workspace_id","task_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task_tags_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "project_task_tags_rel_pkey" PRIMARY KEY ("workspace_id","task_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task_dependency_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "depends_on_id" INTEGER NOT NULL,
    CONSTRAINT "project_task_dependency_rel_pkey" PRIMARY KEY ("workspace_id","task_id","depends_on_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_task_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 1,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "user_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "rotting_threshold_days" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_task_type_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_tags" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_tags_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_milestone" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "project_id" INTEGER NOT NULL,
    "deadline" DATE,
    "is_reached" BOOLEAN NOT NULL DEFAULT false,
    "reached_date" DATE,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_milestone_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "project_project_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 50,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "color" INTEGER NOT NULL DEFAULT 0,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "project_project_stage_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app helpdesk.

CREATE TABLE "helpdesk_team" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "color" INTEGER NOT NULL DEFAULT 0,
    "privacy_visibility" TEXT NOT NULL DEFAULT 'portal',
    "mailbox_id" INTEGER,
    "auto_assignment" BOOLEAN NOT NULL DEFAULT false,
    "assign_method" TEXT NOT NULL DEFAULT 'randomly',
    "auto_acknowledge" BOOLEAN NOT NULL DEFAULT false,
    "acknowledgement" TEXT,
    "use_sla" BOOLEAN NOT NULL DEFAULT true,
    "use_rating" BOOLEAN NOT NULL DEFAULT true,
    "tz" TEXT NOT NULL DEFAULT 'UTC',
    "hour_from" DOUBLE PRECISION NOT NULL DEFAULT 9,
    "hour_to" DOUBLE PRECISION NOT NULL DEFAULT 17,
    "mon" BOOLEAN NOT NULL DEFAULT true,
    "tue" BOOLEAN NOT NULL DEFAULT true,
    "wed" BOOLEAN NOT NULL DEFAULT true,
    "thu" BOOLEAN NOT NULL DEFAULT true,
    "fri" BOOLEAN NOT NULL DEFAULT true,
    "sat" BOOLEAN NOT NULL DEFAULT false,
    "sun" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_team_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_team_member_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    CONSTRAINT "helpdesk_team_member_rel_pkey" PRIMARY KEY ("workspace_id","team_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_team_stage_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "stage_id" INTEGER NOT NULL,
    CONSTRAINT "helpdesk_team_stage_rel_pkey" PRIMARY KEY ("workspace_id","team_id","stage_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "is_close" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_stage_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_ticket_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_ticket_type_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_tag_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_ticket" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "ticket_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "team_id" INTEGER,
    "stage_id" INTEGER,
    "user_id" INTEGER,
    "partner_id" INTEGER,
    "partner_name" TEXT,
    "partner_email" TEXT,
    "partner_email_normalized" TEXT,
    "partner_phone" TEXT,
    "email_cc" TEXT,
    "priority" TEXT NOT NULL DEFAULT '0',
    "ticket_type_id" INTEGER,
    "kanban_state" TEXT NOT NULL DEFAULT 'normal',
    "color" INTEGER NOT NULL DEFAULT 0,
    "company_id" INTEGER,
    "assign_date" TIMESTAMP(3),
    "first_response_date" TIMESTAMP(3),
    "close_date" TIMESTAMP(3),
    "closed_by_partner" BOOLEAN NOT NULL DEFAULT false,
    "date_last_stage_update" TIMESTAMP(3),
    "sla_deadline" TIMESTAMP(3),
    "sla_fail" BOOLEAN NOT NULL DEFAULT false,
    "rating" TEXT,
    "rating_text" TEXT,
    "rating_date" TIMESTAMP(3),
    "link_version" INTEGER NOT NULL DEFAULT 1,
    "acknowledged_at" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_ticket_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_tag_ticket_rel" (
    "workspace_id" INTEGER NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "helpdesk_tag_ticket_rel_pkey" PRIMARY KEY ("workspace_id","ticket_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_sla" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "team_id" INTEGER NOT NULL,
    "priority" TEXT,
    "stage_id" INTEGER NOT NULL,
    "time" DOUBLE PRECISION NOT NULL DEFAULT 8,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_sla_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_sla_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,
    CONSTRAINT "helpdesk_sla_type_rel_pkey" PRIMARY KEY ("workspace_id","sla_id","type_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_sla_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,
    CONSTRAINT "helpdesk_sla_tag_rel_pkey" PRIMARY KEY ("workspace_id","sla_id","tag_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "helpdesk_sla_status" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "sla_id" INTEGER NOT NULL,
    "deadline" TIMESTAMP(3) NOT NULL,
    "reached_datetime" TIMESTAMP(3),
    "status" TEXT NOT NULL DEFAULT 'ongoing',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "helpdesk_sla_status_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- The app calendar.

CREATE TABLE "calendar_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "location" TEXT,
    "videocall_location" TEXT,
    "privacy" TEXT NOT NULL DEFAULT 'public',
    "show_as" TEXT NOT NULL DEFAULT 'busy',
    "allday" BOOLEAN NOT NULL DEFAULT false,
    "start" TIMESTAMP(3) NOT NULL,
    "stop" TIMESTAMP(3) NOT NULL,
    "event_tz" TEXT,
    "recurrency" BOOLEAN NOT NULL DEFAULT false,
    "recurrence_id" INTEGER,
    "follow_recurrence" BOOLEAN NOT NULL DEFAULT false,
    "occurrence" TIMESTAMP(3),
    "uid" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "invited_as" TEXT,
    "remind_at" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "calendar_event_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_event_partner_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    CONSTRAINT "calendar_event_partner_rel_pkey" PRIMARY KEY ("workspace_id","event_id","partner_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_event_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,
    CONSTRAINT "calendar_event_type_rel_pkey" PRIMARY KEY ("workspace_id","event_id","type_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_event_alarm_rel" (
    "workspace_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "alarm_id" INTEGER NOT NULL,
    CONSTRAINT "calendar_event_alarm_rel_pkey" PRIMARY KEY ("workspace_id","event_id","alarm_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_attendee" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "event_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'needsAction',
    "invited" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "calendar_attendee_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_recurrence" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "base_event_id" INTEGER,
    "event_tz" TEXT NOT NULL,
    "dtstart" TIMESTAMP(3) NOT NULL,
    "allday" BOOLEAN NOT NULL DEFAULT false,
    "rrule" TEXT NOT NULL,
    "rrule_type" TEXT NOT NULL DEFAULT 'weekly',
    "end_type" TEXT NOT NULL DEFAULT 'count',
    "interval" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER NOT NULL DEFAULT 1,
    "mon" BOOLEAN NOT NULL DEFAULT false,
    "tue" BOOLEAN NOT NULL DEFAULT false,
    "wed" BOOLEAN NOT NULL DEFAULT false,
    "thu" BOOLEAN NOT NULL DEFAULT false,
    "fri" BOOLEAN NOT NULL DEFAULT false,
    "sat" BOOLEAN NOT NULL DEFAULT false,
    "sun" BOOLEAN NOT NULL DEFAULT false,
    "month_by" TEXT NOT NULL DEFAULT 'date',
    "day" INTEGER NOT NULL DEFAULT 1,
    "weekday" TEXT,
    "byday" TEXT,
    "until" DATE,
    "uid" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "invited_as" TEXT,
    "left_out" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reach" INTEGER NOT NULL DEFAULT 720,
    "extend_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "calendar_recurrence_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_event_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "calendar_event_type_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_alarm" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "alarm_type" TEXT NOT NULL DEFAULT 'email',
    "duration" INTEGER NOT NULL DEFAULT 1,
    "interval" TEXT NOT NULL DEFAULT 'hours',
    "body" TEXT,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "write_uid" INTEGER,
    CONSTRAINT "calendar_alarm_pkey" PRIMARY KEY ("workspace_id","id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

CREATE TABLE "calendar_feed" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "nonce" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "calendar_feed_pkey" PRIMARY KEY ("workspace_id","user_id")
) WITH (autovacuum_analyze_scale_factor = 0.02);

-- Indexes

CREATE UNIQUE INDEX "workspace_slug_key" ON "workspace"("slug");
CREATE INDEX "workspace_equipped_idx" ON "workspace"("equipped");
CREATE INDEX "workspace_purge_at_idx" ON "workspace"("purge_at");
CREATE INDEX "svc_workspace_export_workspace_id_content_hash_idx" ON "svc_workspace_export"("workspace_id", "content_hash");
CREATE INDEX "svc_workspace_export_expires_at_idx" ON "svc_workspace_export"("expires_at");
CREATE INDEX "res_partner_workspace_id_complete_name_idx" ON "res_partner"("workspace_id", "complete_name");
CREATE INDEX "res_partner_workspace_id_parent_id_idx" ON "res_partner"("workspace_id", "parent_id");
CREATE INDEX "res_partner_workspace_id_commercial_partner_id_idx" ON "res_partner"("workspace_id", "commercial_partner_id");
CREATE INDEX "res_users_workspace_id_partner_id_idx" ON "res_users"("workspace_id", "partner_id");
CREATE UNIQUE INDEX "res_users_workspace_id_login_key" ON "res_users"("workspace_id", "login");
CREATE UNIQUE INDEX "res_company_workspace_id_name_key" ON "res_company"("workspace_id", "name");
CREATE UNIQUE INDEX "res_groups_workspace_id_external_id_key" ON "res_groups"("workspace_id", "external_id");
CREATE UNIQUE INDEX "res_groups_workspace_id_privilege_id_name_key" ON "res_groups"("workspace_id", "privilege_id", "name");
CREATE INDEX "res_groups_users_rel_workspace_id_gid_idx" ON "res_groups_users_rel"("workspace_id", "gid");
CREATE INDEX "res_groups_implied_rel_workspace_id_hid_idx" ON "res_groups_implied_rel"("workspace_id", "hid");
CREATE INDEX "res_partner_category_workspace_id_parent_id_idx" ON "res_partner_category"("workspace_id", "parent_id");
CREATE INDEX "res_partner_res_partner_category_rel_workspace_id_category__idx" ON "res_partner_res_partner_category_rel"("workspace_id", "category_id");
CREATE INDEX "res_users_log_workspace_id_create_uid_create_date_idx" ON "res_users_log"("workspace_id", "create_uid", "create_date");
CREATE INDEX "res_users_log_create_date_idx" ON "res_users_log"("create_date");
CREATE INDEX "svc_api_key_prefix_idx" ON "svc_api_key"("prefix");
CREATE INDEX "svc_session_hash_idx" ON "svc_session"("hash");
CREATE INDEX "svc_session_expires_at_idx" ON "svc_session"("expires_at");
CREATE INDEX "svc_mcp_log_workspace_id_create_date_idx" ON "svc_mcp_log"("workspace_id", "create_date");
CREATE INDEX "svc_mcp_log_workspace_id_agent_id_id_idx" ON "svc_mcp_log"("workspace_id", "agent_id", "id");
CREATE INDEX "svc_mcp_log_create_date_idx" ON "svc_mcp_log"("create_date");
CREATE INDEX "svc_audit_event_workspace_id_create_date_idx" ON "svc_audit_event"("workspace_id", "create_date");
CREATE INDEX "svc_audit_event_create_date_idx" ON "svc_audit_event"("create_date");
CREATE INDEX "svc_sign_in_failure_last_at_idx" ON "svc_sign_in_failure"("last_at");
CREATE INDEX "svc_audit_block_until_idx" ON "svc_audit_block"("until");
CREATE INDEX "svc_event_dispatched_at_idx" ON "svc_event"("dispatched_at");
CREATE INDEX "res_partner_bank_workspace_id_partner_id_idx" ON "res_partner_bank"("workspace_id", "partner_id");
CREATE INDEX "svc_user_invitation_workspace_id_state_email_idx" ON "svc_user_invitation"("workspace_id", "state", "email");
CREATE INDEX "svc_user_invitation_expires_at_idx" ON "svc_user_invitation"("expires_at");
CREATE INDEX "svc_user_invitation_create_date_idx" ON "svc_user_invitation"("create_date");
CREATE INDEX "svc_user_invitation_group_rel_workspace_id_group_id_idx" ON "svc_user_invitation_group_rel"("workspace_id", "group_id");
CREATE INDEX "svc_user_invitation_mailbox_rel_workspace_id_account_id_idx" ON "svc_user_invitation_mailbox_rel"("workspace_id", "account_id");
CREATE INDEX "svc_saved_view_workspace_id_user_id_model_idx" ON "svc_saved_view"("workspace_id", "user_id", "model");
CREATE INDEX "svc_saved_view_workspace_id_model_is_shared_idx" ON "svc_saved_view"("workspace_id", "model", "is_shared");
CREATE INDEX "svc_record_undo_workspace_id_user_id_token_idx" ON "svc_record_undo"("workspace_id", "user_id", "token");
CREATE INDEX "svc_record_undo_create_date_idx" ON "svc_record_undo"("create_date");
CREATE INDEX "svc_notification_workspace_id_user_id_id_idx" ON "svc_notification"("workspace_id", "user_id", "id");
CREATE INDEX "svc_notification_create_date_idx" ON "svc_notification"("create_date");
CREATE UNIQUE INDEX "ir_model_workspace_id_model_key" ON "ir_model"("workspace_id", "model");
CREATE UNIQUE INDEX "ir_model_stock_model_key" ON "ir_model_stock"("model");
CREATE INDEX "ir_model_fields_workspace_id_model_id_idx" ON "ir_model_fields"("workspace_id", "model_id");
CREATE UNIQUE INDEX "ir_model_fields_workspace_id_model_name_key" ON "ir_model_fields"("workspace_id", "model", "name");
CREATE INDEX "ir_field_stock_model_id_idx" ON "ir_field_stock"("model_id");
CREATE UNIQUE INDEX "ir_field_stock_model_name_key" ON "ir_field_stock"("model", "name");
CREATE UNIQUE INDEX "ir_model_fields_selection_workspace_id_field_id_value_key" ON "ir_model_fields_selection"("workspace_id", "field_id", "value");
CREATE INDEX "ir_record_workspace_id_model_id_id_idx" ON "ir_record"("workspace_id", "model_id", "id");
CREATE INDEX "ir_record_link_workspace_id_field_id_other_id_idx" ON "ir_record_link"("workspace_id", "field_id", "other_id");
CREATE INDEX "ir_field_index_workspace_id_field_id_value_idx" ON "ir_field_index"("workspace_id", "field_id", "value");
CREATE INDEX "ir_model_data_workspace_id_model_res_id_idx" ON "ir_model_data"("workspace_id", "model", "res_id");
CREATE UNIQUE INDEX "ir_model_data_workspace_id_module_name_key" ON "ir_model_data"("workspace_id", "module", "name");
CREATE INDEX "ir_model_access_workspace_id_model_id_idx" ON "ir_model_access"("workspace_id", "model_id");
CREATE INDEX "ir_model_access_workspace_id_group_id_idx" ON "ir_model_access"("workspace_id", "group_id");
CREATE INDEX "ir_rule_workspace_id_model_id_idx" ON "ir_rule"("workspace_id", "model_id");
CREATE INDEX "rule_group_rel_workspace_id_group_id_idx" ON "rule_group_rel"("workspace_id", "group_id");
CREATE UNIQUE INDEX "ir_module_module_workspace_id_name_key" ON "ir_module_module"("workspace_id", "name");
CREATE UNIQUE INDEX "ir_module_category_workspace_id_name_key" ON "ir_module_category"("workspace_id", "name");
CREATE UNIQUE INDEX "ir_module_module_dependency_workspace_id_module_id_name_key" ON "ir_module_module_dependency"("workspace_id", "module_id", "name");
CREATE UNIQUE INDEX "ir_config_parameter_workspace_id_key_key" ON "ir_config_parameter"("workspace_id", "key");
CREATE INDEX "ir_attachment_workspace_id_res_model_res_id_idx" ON "ir_attachment"("workspace_id", "res_model", "res_id");
CREATE INDEX "ir_attachment_workspace_id_store_hash_idx" ON "ir_attachment"("workspace_id", "store_hash");
CREATE INDEX "svc_upload_workspace_id_user_id_idx" ON "svc_upload"("workspace_id", "user_id");
CREATE INDEX "svc_upload_workspace_id_hash_idx" ON "svc_upload"("workspace_id", "hash");
CREATE INDEX "svc_upload_create_date_idx" ON "svc_upload"("create_date");
CREATE INDEX "ir_cron_workspace_id_nextcall_idx" ON "ir_cron"("workspace_id", "nextcall");
CREATE INDEX "ir_sequence_workspace_id_code_idx" ON "ir_sequence"("workspace_id", "code");
CREATE INDEX "ir_ui_menu_workspace_id_parent_id_idx" ON "ir_ui_menu"("workspace_id", "parent_id");
CREATE UNIQUE INDEX "ir_actions_act_window_workspace_id_path_key" ON "ir_actions_act_window"("workspace_id", "path");
CREATE UNIQUE INDEX "res_country_workspace_id_code_key" ON "res_country"("workspace_id", "code");
CREATE UNIQUE INDEX "res_country_workspace_id_name_key" ON "res_country"("workspace_id", "name");
CREATE UNIQUE INDEX "res_country_state_workspace_id_country_id_code_key" ON "res_country_state"("workspace_id", "country_id", "code");
CREATE UNIQUE INDEX "res_currency_workspace_id_name_key" ON "res_currency"("workspace_id", "name");
CREATE UNIQUE INDEX "res_currency_rate_workspace_id_currency_id_company_id_name_key" ON "res_currency_rate"("workspace_id", "currency_id", "company_id", "name");
CREATE UNIQUE INDEX "res_lang_workspace_id_code_key" ON "res_lang"("workspace_id", "code");
CREATE UNIQUE INDEX "res_lang_workspace_id_name_key" ON "res_lang"("workspace_id", "name");
CREATE UNIQUE INDEX "res_lang_workspace_id_url_code_key" ON "res_lang"("workspace_id", "url_code");
CREATE INDEX "mail_message_workspace_id_model_res_id_id_idx" ON "mail_message"("workspace_id", "model", "res_id", "id");
CREATE INDEX "mail_message_workspace_id_message_id_idx" ON "mail_message"("workspace_id", "message_id");
CREATE INDEX "mail_message_workspace_id_author_id_idx" ON "mail_message"("workspace_id", "author_id");
CREATE INDEX "mail_message_workspace_id_parent_id_idx" ON "mail_message"("workspace_id", "parent_id");
CREATE INDEX "mail_message_res_partner_rel_workspace_id_res_partner_id_idx" ON "mail_message_res_partner_rel"("workspace_id", "res_partner_id");
CREATE INDEX "message_attachment_rel_workspace_id_attachment_id_idx" ON "message_attachment_rel"("workspace_id", "attachment_id");
CREATE INDEX "mail_tracking_value_workspace_id_mail_message_id_idx" ON "mail_tracking_value"("workspace_id", "mail_message_id");
CREATE INDEX "mail_followers_workspace_id_partner_id_idx" ON "mail_followers"("workspace_id", "partner_id");
CREATE UNIQUE INDEX "mail_followers_workspace_id_res_model_res_id_partner_id_key" ON "mail_followers"("workspace_id", "res_model", "res_id", "partner_id");
CREATE INDEX "mail_followers_subtype_rel_workspace_id_subtype_id_idx" ON "mail_followers_subtype_rel"("workspace_id", "subtype_id");
CREATE INDEX "mail_activity_workspace_id_res_model_res_id_idx" ON "mail_activity"("workspace_id", "res_model", "res_id");
CREATE INDEX "mail_activity_workspace_id_user_id_date_deadline_idx" ON "mail_activity"("workspace_id", "user_id", "date_deadline");
CREATE INDEX "mail_activity_workspace_id_date_deadline_idx" ON "mail_activity"("workspace_id", "date_deadline");
CREATE INDEX "activity_attachment_rel_workspace_id_attachment_id_idx" ON "activity_attachment_rel"("workspace_id", "attachment_id");
CREATE INDEX "svc_agent_workspace_id_user_id_idx" ON "svc_agent"("workspace_id", "user_id");
CREATE UNIQUE INDEX "svc_agent_workspace_id_kind_ref_key" ON "svc_agent"("workspace_id", "kind", "ref");
CREATE INDEX "svc_agent_held_workspace_id_state_id_idx" ON "svc_agent_held"("workspace_id", "state", "id");
CREATE INDEX "svc_agent_held_workspace_id_agent_id_digest_idx" ON "svc_agent_held"("workspace_id", "agent_id", "digest");
CREATE INDEX "svc_agent_held_create_date_idx" ON "svc_agent_held"("create_date");
CREATE INDEX "svc_agent_held_expires_at_idx" ON "svc_agent_held"("expires_at");
CREATE INDEX "svc_agent_held_decided_at_idx" ON "svc_agent_held"("decided_at");
CREATE INDEX "svc_agent_spent_expires_at_idx" ON "svc_agent_spent"("expires_at");
CREATE INDEX "svc_connected_agent_workspace_id_user_id_idx" ON "svc_connected_agent"("workspace_id", "user_id");
CREATE INDEX "svc_connected_agent_expires_at_idx" ON "svc_connected_agent"("expires_at");
CREATE UNIQUE INDEX "svc_connected_agent_workspace_id_grant_hash_key" ON "svc_connected_agent"("workspace_id", "grant_hash");
CREATE INDEX "svc_oauth_payload_workspace_id_grant_hash_idx" ON "svc_oauth_payload"("workspace_id", "grant_hash");
CREATE INDEX "svc_oauth_payload_expires_at_idx" ON "svc_oauth_payload"("expires_at");
CREATE INDEX "svc_due_kind_next_at_idx" ON "svc_due"("kind", "next_at");
CREATE INDEX "svc_change_created_at_idx" ON "svc_change"("created_at");
CREATE INDEX "svc_live_until_idx" ON "svc_live"("until");
CREATE INDEX "svc_replay_created_at_idx" ON "svc_replay"("created_at");
CREATE UNIQUE INDEX "svc_domain_workspace_id_name_key" ON "svc_domain"("workspace_id", "name");
CREATE UNIQUE INDEX "domain_claim_name_workspace_id_key" ON "domain_claim"("name", "workspace_id");
CREATE UNIQUE INDEX "svc_email_workspace_id_public_id_key" ON "svc_email"("workspace_id", "public_id");
CREATE INDEX "svc_email_event_workspace_id_email_id_idx" ON "svc_email_event"("workspace_id", "email_id");
CREATE INDEX "svc_idempotency_created_at_idx" ON "svc_idempotency"("created_at");
CREATE UNIQUE INDEX "svc_suppression_workspace_id_email_key" ON "svc_suppression"("workspace_id", "email");
CREATE INDEX "svc_suppression_expires_at_idx" ON "svc_suppression"("expires_at");
CREATE INDEX "svc_soft_bounce_last_at_idx" ON "svc_soft_bounce"("last_at");
CREATE INDEX "svc_outbox_workspace_id_email_id_idx" ON "svc_outbox"("workspace_id", "email_id");
CREATE UNIQUE INDEX "svc_template_workspace_id_public_id_key" ON "svc_template"("workspace_id", "public_id");
CREATE UNIQUE INDEX "svc_template_version_workspace_id_template_id_number_key" ON "svc_template_version"("workspace_id", "template_id", "number");
CREATE UNIQUE INDEX "svc_contact_book_workspace_id_public_id_key" ON "svc_contact_book"("workspace_id", "public_id");
CREATE INDEX "svc_contact_workspace_id_book_id_id_idx" ON "svc_contact"("workspace_id", "book_id", "id");
CREATE UNIQUE INDEX "svc_contact_workspace_id_public_id_key" ON "svc_contact"("workspace_id", "public_id");
CREATE INDEX "svc_campaign_workspace_id_book_id_idx" ON "svc_campaign"("workspace_id", "book_id");
CREATE UNIQUE INDEX "svc_campaign_workspace_id_public_id_key" ON "svc_campaign"("workspace_id", "public_id");
CREATE INDEX "svc_webhook_call_workspace_id_webhook_id_status_id_idx" ON "svc_webhook_call"("workspace_id", "webhook_id", "status", "id");
CREATE INDEX "svc_webhook_call_create_date_idx" ON "svc_webhook_call"("create_date");
CREATE UNIQUE INDEX "svc_webhook_call_workspace_id_webhook_id_event_id_key" ON "svc_webhook_call"("workspace_id", "webhook_id", "event_id");
CREATE UNIQUE INDEX "svc_provider_event_message_id_key" ON "svc_provider_event"("message_id");
CREATE INDEX "svc_provider_event_create_date_idx" ON "svc_provider_event"("create_date");
CREATE INDEX "svc_mail_account_workspace_id_owner_id_idx" ON "svc_mail_account"("workspace_id", "owner_id");
CREATE INDEX "svc_mail_member_workspace_id_user_id_idx" ON "svc_mail_member"("workspace_id", "user_id");
CREATE UNIQUE INDEX "svc_mail_member_workspace_id_account_id_user_id_key" ON "svc_mail_member"("workspace_id", "account_id", "user_id");
CREATE INDEX "svc_mail_address_workspace_id_account_id_idx" ON "svc_mail_address"("workspace_id", "account_id");
CREATE UNIQUE INDEX "svc_mail_address_workspace_id_address_key" ON "svc_mail_address"("workspace_id", "address");
CREATE UNIQUE INDEX "svc_mail_folder_workspace_id_account_id_role_key" ON "svc_mail_folder"("workspace_id", "account_id", "role");
CREATE UNIQUE INDEX "svc_mail_folder_workspace_id_account_id_name_key" ON "svc_mail_folder"("workspace_id", "account_id", "name");
CREATE INDEX "svc_mail_bucket_workspace_id_account_id_day_idx" ON "svc_mail_bucket"("workspace_id", "account_id", "day" DESC);
CREATE UNIQUE INDEX "svc_mail_message_workspace_id_raw_hash_key" ON "svc_mail_message"("workspace_id", "raw_hash");
CREATE INDEX "svc_mail_entry_workspace_id_folder_id_date_id_idx" ON "svc_mail_entry"("workspace_id", "folder_id", "date" DESC, "id" DESC);
CREATE INDEX "svc_mail_entry_workspace_id_account_id_date_id_idx" ON "svc_mail_entry"("workspace_id", "account_id", "date" DESC, "id" DESC);
CREATE INDEX "svc_mail_entry_workspace_id_account_id_thread_id_date_idx" ON "svc_mail_entry"("workspace_id", "account_id", "thread_id", "date");
CREATE INDEX "svc_mail_entry_workspace_id_account_id_message_key_idx" ON "svc_mail_entry"("workspace_id", "account_id", "message_key");
CREATE INDEX "svc_mail_entry_workspace_id_content_id_idx" ON "svc_mail_entry"("workspace_id", "content_id");
CREATE INDEX "svc_mail_entry_workspace_id_email_id_idx" ON "svc_mail_entry"("workspace_id", "email_id");
CREATE UNIQUE INDEX "svc_mail_label_workspace_id_account_id_name_key" ON "svc_mail_label"("workspace_id", "account_id", "name");
CREATE INDEX "svc_mail_entry_label_workspace_id_label_id_folder_id_date_e_idx" ON "svc_mail_entry_label"("workspace_id", "label_id", "folder_id", "date" DESC, "entry_id" DESC);
CREATE INDEX "svc_mail_thread_ref_workspace_id_account_id_thread_id_idx" ON "svc_mail_thread_ref"("workspace_id", "account_id", "thread_id");
CREATE INDEX "svc_mail_change_at_idx" ON "svc_mail_change"("at");
CREATE INDEX "svc_mail_draft_workspace_id_account_id_user_id_write_date_idx" ON "svc_mail_draft"("workspace_id", "account_id", "user_id", "write_date");
CREATE INDEX "svc_mail_staged_workspace_id_user_id_idx" ON "svc_mail_staged"("workspace_id", "user_id");
CREATE INDEX "svc_mail_staged_workspace_id_hash_idx" ON "svc_mail_staged"("workspace_id", "hash");
CREATE INDEX "svc_mail_staged_create_date_idx" ON "svc_mail_staged"("create_date");
CREATE INDEX "svc_mail_outgoing_workspace_id_next_at_idx" ON "svc_mail_outgoing"("workspace_id", "next_at");
CREATE INDEX "svc_mail_outgoing_workspace_id_user_id_idx" ON "svc_mail_outgoing"("workspace_id", "user_id");
CREATE INDEX "svc_mail_outgoing_workspace_id_account_id_idx" ON "svc_mail_outgoing"("workspace_id", "account_id");
CREATE INDEX "svc_mail_job_workspace_id_next_at_idx" ON "svc_mail_job"("workspace_id", "next_at");
CREATE INDEX "svc_mail_job_workspace_id_user_id_idx" ON "svc_mail_job"("workspace_id", "user_id");
CREATE INDEX "svc_mail_job_workspace_id_account_id_idx" ON "svc_mail_job"("workspace_id", "account_id");
CREATE INDEX "svc_mail_job_ended_at_idx" ON "svc_mail_job"("ended_at");
CREATE INDEX "svc_mail_rule_workspace_id_account_id_sequence_idx" ON "svc_mail_rule"("workspace_id", "account_id", "sequence");
CREATE UNIQUE INDEX "svc_mail_block_workspace_id_account_id_email_key" ON "svc_mail_block"("workspace_id", "account_id", "email");
CREATE UNIQUE INDEX "svc_mail_autoreply_workspace_id_account_id_key" ON "svc_mail_autoreply"("workspace_id", "account_id");
CREATE INDEX "svc_mail_autoreply_sent_at_idx" ON "svc_mail_autoreply_sent"("at");
CREATE INDEX "svc_mail_send_log_workspace_id_account_id_at_idx" ON "svc_mail_send_log"("workspace_id", "account_id", "at");
CREATE INDEX "svc_mail_send_log_at_idx" ON "svc_mail_send_log"("at");
CREATE UNIQUE INDEX "svc_mail_feature_workspace_id_company_id_key_key" ON "svc_mail_feature"("workspace_id", "company_id", "key");
CREATE INDEX "svc_mail_undo_workspace_id_user_id_create_date_idx" ON "svc_mail_undo"("workspace_id", "user_id", "create_date");
CREATE INDEX "svc_mail_undo_create_date_idx" ON "svc_mail_undo"("create_date");
CREATE INDEX "svc_mail_intake_workspace_id_raw_hash_idx" ON "svc_mail_intake"("workspace_id", "raw_hash");
CREATE INDEX "svc_mail_intake_received_at_idx" ON "svc_mail_intake"("received_at");
CREATE UNIQUE INDEX "svc_mail_intake_workspace_id_origin_key" ON "svc_mail_intake"("workspace_id", "origin");
CREATE INDEX "svc_mail_delivery_workspace_id_next_at_idx" ON "svc_mail_delivery"("workspace_id", "next_at");
CREATE UNIQUE INDEX "svc_mail_delivery_workspace_id_intake_id_account_id_key" ON "svc_mail_delivery"("workspace_id", "intake_id", "account_id");
CREATE UNIQUE INDEX "website_workspace_id_domain_key" ON "website"("workspace_id", "domain");
CREATE INDEX "ir_ui_view_workspace_id_key_idx" ON "ir_ui_view"("workspace_id", "key");
CREATE INDEX "ir_ui_view_workspace_id_website_id_idx" ON "ir_ui_view"("workspace_id", "website_id");
CREATE INDEX "ir_ui_view_workspace_id_visibility_group_id_idx" ON "ir_ui_view"("workspace_id", "visibility_group_id");
CREATE UNIQUE INDEX "website_version_workspace_id_view_id_number_key" ON "website_version"("workspace_id", "view_id", "number");
CREATE INDEX "website_page_workspace_id_view_id_idx" ON "website_page"("workspace_id", "view_id");
CREATE UNIQUE INDEX "website_page_workspace_id_website_id_url_key" ON "website_page"("workspace_id", "website_id", "url");
CREATE INDEX "website_menu_workspace_id_website_id_idx" ON "website_menu"("workspace_id", "website_id");
CREATE INDEX "website_menu_workspace_id_page_id_idx" ON "website_menu"("workspace_id", "page_id");
CREATE INDEX "website_menu_workspace_id_parent_id_idx" ON "website_menu"("workspace_id", "parent_id");
CREATE INDEX "website_rewrite_workspace_id_url_from_idx" ON "website_rewrite"("workspace_id", "url_from");
CREATE INDEX "website_rewrite_workspace_id_website_id_idx" ON "website_rewrite"("workspace_id", "website_id");
CREATE INDEX "product_template_workspace_id_is_favorite_name_id_idx" ON "product_template"("workspace_id", "is_favorite" DESC, "name", "id");
CREATE INDEX "product_template_workspace_id_categ_id_idx" ON "product_template"("workspace_id", "categ_id");
CREATE INDEX "product_template_workspace_id_default_code_idx" ON "product_template"("workspace_id", "default_code");
CREATE INDEX "product_tax_rel_workspace_id_tax_id_idx" ON "product_tax_rel"("workspace_id", "tax_id");
CREATE INDEX "product_supplier_tax_rel_workspace_id_tax_id_idx" ON "product_supplier_tax_rel"("workspace_id", "tax_id");
CREATE INDEX "product_tag_template_rel_workspace_id_tag_id_idx" ON "product_tag_template_rel"("workspace_id", "tag_id");
CREATE INDEX "product_product_workspace_id_default_code_idx" ON "product_product"("workspace_id", "default_code");
CREATE INDEX "product_product_workspace_id_product_tmpl_id_idx" ON "product_product"("workspace_id", "product_tmpl_id");
CREATE UNIQUE INDEX "product_product_workspace_id_barcode_key" ON "product_product"("workspace_id", "barcode");
CREATE INDEX "product_category_workspace_id_complete_name_idx" ON "product_category"("workspace_id", "complete_name");
CREATE INDEX "product_category_workspace_id_parent_id_idx" ON "product_category"("workspace_id", "parent_id");
CREATE UNIQUE INDEX "product_tag_workspace_id_name_key" ON "product_tag"("workspace_id", "name");
CREATE INDEX "uom_uom_workspace_id_sequence_idx" ON "uom_uom"("workspace_id", "sequence");
CREATE INDEX "uom_uom_workspace_id_relative_uom_id_idx" ON "uom_uom"("workspace_id", "relative_uom_id");
CREATE INDEX "product_pricelist_workspace_id_sequence_idx" ON "product_pricelist"("workspace_id", "sequence");
CREATE INDEX "product_pricelist_item_workspace_id_pricelist_id_idx" ON "product_pricelist_item"("workspace_id", "pricelist_id");
CREATE INDEX "product_pricelist_item_workspace_id_product_tmpl_id_idx" ON "product_pricelist_item"("workspace_id", "product_tmpl_id");
CREATE INDEX "product_pricelist_item_workspace_id_product_id_idx" ON "product_pricelist_item"("workspace_id", "product_id");
CREATE INDEX "product_pricelist_item_workspace_id_categ_id_idx" ON "product_pricelist_item"("workspace_id", "categ_id");
CREATE INDEX "crm_lead_workspace_id_priority_id_idx" ON "crm_lead"("workspace_id", "priority" DESC, "id" DESC);
CREATE INDEX "crm_lead_workspace_id_stage_id_priority_id_idx" ON "crm_lead"("workspace_id", "stage_id", "priority" DESC, "id" DESC);
CREATE INDEX "crm_lead_workspace_id_user_id_priority_id_idx" ON "crm_lead"("workspace_id", "user_id", "priority" DESC, "id" DESC);
CREATE INDEX "crm_lead_workspace_id_team_id_priority_id_idx" ON "crm_lead"("workspace_id", "team_id", "priority" DESC, "id" DESC);
CREATE INDEX "crm_lead_workspace_id_type_active_priority_id_idx" ON "crm_lead"("workspace_id", "type", "active", "priority" DESC, "id" DESC);
CREATE INDEX "crm_lead_workspace_id_partner_id_idx" ON "crm_lead"("workspace_id", "partner_id");
CREATE INDEX "crm_tag_rel_workspace_id_tag_id_idx" ON "crm_tag_rel"("workspace_id", "tag_id");
CREATE INDEX "crm_stage_workspace_id_sequence_idx" ON "crm_stage"("workspace_id", "sequence");
CREATE INDEX "crm_stage_team_rel_workspace_id_team_id_idx" ON "crm_stage_team_rel"("workspace_id", "team_id");
CREATE UNIQUE INDEX "crm_tag_workspace_id_name_key" ON "crm_tag"("workspace_id", "name");
CREATE INDEX "crm_team_workspace_id_sequence_idx" ON "crm_team"("workspace_id", "sequence");
CREATE INDEX "crm_team_member_rel_workspace_id_user_id_idx" ON "crm_team_member_rel"("workspace_id", "user_id");
CREATE UNIQUE INDEX "utm_source_workspace_id_name_key" ON "utm_source"("workspace_id", "name");
CREATE UNIQUE INDEX "utm_medium_workspace_id_name_key" ON "utm_medium"("workspace_id", "name");
CREATE UNIQUE INDEX "utm_campaign_workspace_id_name_key" ON "utm_campaign"("workspace_id", "name");
CREATE INDEX "sale_order_workspace_id_name_idx" ON "sale_order"("workspace_id", "name");
CREATE INDEX "sale_order_workspace_id_date_order_id_idx" ON "sale_order"("workspace_id", "date_order" DESC, "id" DESC);
CREATE INDEX "sale_order_workspace_id_partner_id_idx" ON "sale_order"("workspace_id", "partner_id");
CREATE INDEX "sale_order_workspace_id_user_id_date_order_id_idx" ON "sale_order"("workspace_id", "user_id", "date_order" DESC, "id" DESC);
CREATE INDEX "sale_order_workspace_id_state_date_order_id_idx" ON "sale_order"("workspace_id", "state", "date_order" DESC, "id" DESC);
CREATE INDEX "sale_order_workspace_id_opportunity_id_idx" ON "sale_order"("workspace_id", "opportunity_id");
CREATE INDEX "sale_order_tag_rel_workspace_id_tag_id_idx" ON "sale_order_tag_rel"("workspace_id", "tag_id");
CREATE INDEX "sale_order_line_workspace_id_order_id_sequence_id_idx" ON "sale_order_line"("workspace_id", "order_id", "sequence", "id");
CREATE INDEX "sale_order_line_workspace_id_product_id_idx" ON "sale_order_line"("workspace_id", "product_id");
CREATE INDEX "sale_order_line_tax_rel_workspace_id_tax_id_idx" ON "sale_order_line_tax_rel"("workspace_id", "tax_id");
CREATE UNIQUE INDEX "account_tax_workspace_id_company_id_type_tax_use_name_key" ON "account_tax"("workspace_id", "company_id", "type_tax_use", "name");
CREATE INDEX "project_project_workspace_id_sequence_name_idx" ON "project_project"("workspace_id", "sequence", "name");
CREATE INDEX "project_project_workspace_id_partner_id_idx" ON "project_project"("workspace_id", "partner_id");
CREATE INDEX "project_task_type_rel_workspace_id_type_id_idx" ON "project_task_type_rel"("workspace_id", "type_id");
CREATE INDEX "project_project_tags_rel_workspace_id_tag_id_idx" ON "project_project_tags_rel"("workspace_id", "tag_id");
CREATE INDEX "project_task_workspace_id_priority_sequence_date_deadline_i_idx" ON "project_task"("workspace_id", "priority" DESC, "sequence", "date_deadline", "id" DESC);
CREATE INDEX "project_task_workspace_id_project_id_idx" ON "project_task"("workspace_id", "project_id");
CREATE INDEX "project_task_workspace_id_stage_id_idx" ON "project_task"("workspace_id", "stage_id");
CREATE INDEX "project_task_workspace_id_parent_id_idx" ON "project_task"("workspace_id", "parent_id");
CREATE INDEX "project_task_workspace_id_milestone_id_idx" ON "project_task"("workspace_id", "milestone_id");
CREATE INDEX "project_task_workspace_id_partner_id_idx" ON "project_task"("workspace_id", "partner_id");
CREATE INDEX "project_task_user_rel_workspace_id_user_id_idx" ON "project_task_user_rel"("workspace_id", "user_id");
CREATE INDEX "project_task_tags_rel_workspace_id_tag_id_idx" ON "project_task_tags_rel"("workspace_id", "tag_id");
CREATE INDEX "project_task_dependency_rel_workspace_id_depends_on_id_idx" ON "project_task_dependency_rel"("workspace_id", "depends_on_id");
CREATE INDEX "project_task_type_workspace_id_sequence_idx" ON "project_task_type"("workspace_id", "sequence");
CREATE UNIQUE INDEX "project_tags_workspace_id_name_key" ON "project_tags"("workspace_id", "name");
CREATE INDEX "project_milestone_workspace_id_project_id_idx" ON "project_milestone"("workspace_id", "project_id");
CREATE INDEX "project_project_stage_workspace_id_sequence_idx" ON "project_project_stage"("workspace_id", "sequence");
CREATE INDEX "helpdesk_team_workspace_id_sequence_idx" ON "helpdesk_team"("workspace_id", "sequence");
CREATE UNIQUE INDEX "helpdesk_team_workspace_id_mailbox_id_key" ON "helpdesk_team"("workspace_id", "mailbox_id");
CREATE INDEX "helpdesk_team_member_rel_workspace_id_user_id_idx" ON "helpdesk_team_member_rel"("workspace_id", "user_id");
CREATE INDEX "helpdesk_team_stage_rel_workspace_id_stage_id_idx" ON "helpdesk_team_stage_rel"("workspace_id", "stage_id");
CREATE INDEX "helpdesk_stage_workspace_id_sequence_idx" ON "helpdesk_stage"("workspace_id", "sequence");
CREATE UNIQUE INDEX "helpdesk_tag_workspace_id_name_key" ON "helpdesk_tag"("workspace_id", "name");
CREATE INDEX "helpdesk_ticket_workspace_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "priority" DESC, "id" DESC);
CREATE INDEX "helpdesk_ticket_workspace_id_team_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "team_id", "priority" DESC, "id" DESC);
CREATE INDEX "helpdesk_ticket_workspace_id_stage_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "stage_id", "priority" DESC, "id" DESC);
CREATE INDEX "helpdesk_ticket_workspace_id_user_id_priority_id_idx" ON "helpdesk_ticket"("workspace_id", "user_id", "priority" DESC, "id" DESC);
CREATE INDEX "helpdesk_ticket_workspace_id_user_id_close_date_idx" ON "helpdesk_ticket"("workspace_id", "user_id", "close_date");
CREATE INDEX "helpdesk_ticket_workspace_id_team_id_user_id_assign_date_idx" ON "helpdesk_ticket"("workspace_id", "team_id", "user_id", "assign_date");
CREATE INDEX "helpdesk_ticket_workspace_id_partner_id_idx" ON "helpdesk_ticket"("workspace_id", "partner_id");
CREATE INDEX "helpdesk_ticket_workspace_id_partner_email_normalized_ackno_idx" ON "helpdesk_ticket"("workspace_id", "partner_email_normalized", "acknowledged_at");
CREATE INDEX "helpdesk_ticket_workspace_id_ticket_ref_idx" ON "helpdesk_ticket"("workspace_id", "ticket_ref");
CREATE INDEX "helpdesk_tag_ticket_rel_workspace_id_tag_id_idx" ON "helpdesk_tag_ticket_rel"("workspace_id", "tag_id");
CREATE INDEX "helpdesk_sla_workspace_id_team_id_idx" ON "helpdesk_sla"("workspace_id", "team_id");
CREATE INDEX "helpdesk_sla_type_rel_workspace_id_type_id_idx" ON "helpdesk_sla_type_rel"("workspace_id", "type_id");
CREATE INDEX "helpdesk_sla_tag_rel_workspace_id_tag_id_idx" ON "helpdesk_sla_tag_rel"("workspace_id", "tag_id");
CREATE INDEX "helpdesk_sla_status_workspace_id_sla_id_idx" ON "helpdesk_sla_status"("workspace_id", "sla_id");
CREATE INDEX "helpdesk_sla_status_workspace_id_status_deadline_idx" ON "helpdesk_sla_status"("workspace_id", "status", "deadline");
CREATE UNIQUE INDEX "helpdesk_sla_status_workspace_id_ticket_id_sla_id_key" ON "helpdesk_sla_status"("workspace_id", "ticket_id", "sla_id");
CREATE INDEX "calendar_event_workspace_id_start_idx" ON "calendar_event"("workspace_id", "start");
CREATE INDEX "calendar_event_workspace_id_user_id_start_idx" ON "calendar_event"("workspace_id", "user_id", "start");
CREATE INDEX "calendar_event_workspace_id_recurrence_id_occurrence_idx" ON "calendar_event"("workspace_id", "recurrence_id", "occurrence");
CREATE INDEX "calendar_event_workspace_id_uid_idx" ON "calendar_event"("workspace_id", "uid");
CREATE INDEX "calendar_event_workspace_id_remind_at_idx" ON "calendar_event"("workspace_id", "remind_at");
CREATE INDEX "calendar_event_partner_rel_workspace_id_partner_id_idx" ON "calendar_event_partner_rel"("workspace_id", "partner_id");
CREATE INDEX "calendar_event_type_rel_workspace_id_type_id_idx" ON "calendar_event_type_rel"("workspace_id", "type_id");
CREATE INDEX "calendar_event_alarm_rel_workspace_id_alarm_id_idx" ON "calendar_event_alarm_rel"("workspace_id", "alarm_id");
CREATE INDEX "calendar_attendee_workspace_id_partner_id_idx" ON "calendar_attendee"("workspace_id", "partner_id");
CREATE UNIQUE INDEX "calendar_attendee_workspace_id_event_id_partner_id_key" ON "calendar_attendee"("workspace_id", "event_id", "partner_id");
CREATE INDEX "calendar_recurrence_workspace_id_base_event_id_idx" ON "calendar_recurrence"("workspace_id", "base_event_id");
CREATE INDEX "calendar_recurrence_workspace_id_uid_idx" ON "calendar_recurrence"("workspace_id", "uid");
CREATE INDEX "calendar_recurrence_workspace_id_extend_at_idx" ON "calendar_recurrence"("workspace_id", "extend_at");
CREATE UNIQUE INDEX "calendar_event_type_workspace_id_name_key" ON "calendar_event_type"("workspace_id", "name");

-- Indexes that the Prisma schema cannot describe.

-- The sender of a message is found by address.
CREATE INDEX "res_partner_email" ON "res_partner" ("workspace_id", lower("email")) WHERE "email" IS NOT NULL;

-- Contents that wait to be collected, and contents that have been copied to another store.
CREATE INDEX "svc_blob_marked" ON "svc_blob" ("workspace_id", "marked_at") WHERE "marked_at" IS NOT NULL;
CREATE INDEX "svc_blob_copied" ON "svc_blob" ("workspace_id", "copied_at") WHERE "copied_at" IS NOT NULL;

-- Events that have not been dispatched.
CREATE INDEX "svc_event_waiting" ON "svc_event" ("run_at", "id") WHERE "dispatched_at" IS NULL;

-- The delivery worker claims due emails by workspace, those of campaigns only when no other is due.
CREATE INDEX "svc_email_queued" ON "svc_email" ("workspace_id", "run_at", "id")
WHERE "state" = 'queued' AND "campaign_id" IS NULL;
CREATE INDEX "svc_email_queued_bulk" ON "svc_email" ("workspace_id", "run_at", "id")
WHERE "state" = 'queued' AND "campaign_id" IS NOT NULL;

-- Leases that have run out, and emails whose outcome is unknown.
CREATE INDEX "svc_email_lease" ON "svc_email" ("lease_until") WHERE "state" = 'sending';
CREATE INDEX "svc_email_unknown" ON "svc_email" ("write_date") WHERE "state" = 'unknown';

-- Events of the provider name an email without its workspace.
CREATE INDEX "svc_email_provider" ON "svc_email" ("provider_id", "workspace_id") WHERE "provider_id" IS NOT NULL;

-- A campaign sends one email to each contact.
CREATE UNIQUE INDEX "svc_email_campaign_contact" ON "svc_email" ("workspace_id", "campaign_id", "contact_id")
WHERE "campaign_id" IS NOT NULL;

-- Lists of emails leave out those sent from mailboxes.
CREATE INDEX "svc_email_list" ON "svc_email" ("workspace_id", "create_date", "id") WHERE "mailbox_id" IS NULL;
CREATE INDEX "svc_email_list_domain" ON "svc_email" ("workspace_id", "domain_id", "create_date", "id")
WHERE "mailbox_id" IS NULL;

-- Emails whose bodies may be deleted, the oldest first.
CREATE INDEX "svc_email_bodies" ON "svc_email" ("create_date")
WHERE "state" IN ('sent', 'failed', 'cancelled', 'suppressed')
  AND ("html" IS NOT NULL OR "text" IS NOT NULL OR "headers" IS NOT NULL OR "attachments" IS NOT NULL);

-- Domains that workers check across workspaces, in the order in which they are due.
CREATE INDEX "svc_domain_unverified" ON "svc_domain" ("create_date") WHERE "status" <> 'SUCCESS';
CREATE INDEX "svc_domain_unverified_checked" ON "svc_domain" ("checked_at" NULLS FIRST) WHERE "status" <> 'SUCCESS';
CREATE INDEX "svc_domain_verified" ON "svc_domain" ("checked_at" NULLS FIRST) WHERE "status" = 'SUCCESS';

-- A contact book has an address once, whatever its case; a workspace finds an address in all of its books.
CREATE UNIQUE INDEX "svc_contact_book_email" ON "svc_contact" ("workspace_id", "book_id", lower("email"));
CREATE INDEX "svc_contact_email" ON "svc_contact" ("workspace_id", lower("email"));

-- Campaigns with work to do.
CREATE INDEX "svc_campaign_due" ON "svc_campaign" ("next_at") WHERE "status" IN ('SCHEDULED', 'RUNNING');

-- Notices of the provider are applied in the order of their ids, a batch at a time.
CREATE INDEX "svc_provider_event_waiting" ON "svc_provider_event" ("id") WHERE "applied_at" IS NULL;

-- Webhooks whose lease may have run out, and pending calls: of all webhooks, of one, and about one email or record.
CREATE INDEX "svc_webhook_lease" ON "svc_webhook" ("lease_until") WHERE "lease_until" IS NOT NULL;
CREATE INDEX "svc_webhook_call_pending" ON "svc_webhook_call" ("run_at") WHERE "status" = 'PENDING';
CREATE INDEX "svc_webhook_call_due" ON "svc_webhook_call" ("workspace_id", "webhook_id", "run_at", "id")
WHERE "status" = 'PENDING';
CREATE INDEX "svc_webhook_call_of_email" ON "svc_webhook_call" ("workspace_id", "webhook_id", "email_id", "id")
WHERE "status" = 'PENDING' AND "email_id" IS NOT NULL;
CREATE INDEX "svc_webhook_call_of_record"
ON "svc_webhook_call" ("workspace_id", "webhook_id", ("data" ->> 'id'), "id")
WHERE "status" = 'PENDING' AND "email_id" IS NULL;

-- All calls about one email, which its page shows.
CREATE INDEX "svc_webhook_call_all_of_email" ON "svc_webhook_call" ("workspace_id", "email_id", "id")
WHERE "email_id" IS NOT NULL;

-- Deliveries to be filed, by mailbox; and those that failed, which an administrator looks at.
CREATE INDEX "svc_mail_delivery_open_idx" ON "svc_mail_delivery" ("workspace_id", "account_id", "next_at", "id")
WHERE "next_at" IS NOT NULL;
CREATE INDEX "svc_mail_delivery_failed_idx" ON "svc_mail_delivery" ("workspace_id", "id") WHERE "state" = 'failed';

-- Lists of unread, starred and answered messages.
CREATE INDEX "svc_mail_entry_unread_idx" ON "svc_mail_entry" ("workspace_id", "folder_id", "date" DESC, "id" DESC)
WHERE NOT "is_read";
CREATE INDEX "svc_mail_entry_starred_idx" ON "svc_mail_entry" ("workspace_id", "account_id", "date" DESC, "id" DESC)
WHERE "is_starred";
CREATE INDEX "svc_mail_entry_answered_idx" ON "svc_mail_entry" ("workspace_id", "account_id", "date" DESC, "id" DESC)
WHERE "is_answered";

-- Mailboxes, days, sizes and attachments are words of the index too (schema/mailbox/messages/index-keys.ts): ids of
-- mailboxes are those of one workspace, so that a column of them would lead to the messages of all workspaces. Words of
-- messages that arrive together go into the index together, and a search reads the few pages that wait. The condition,
-- which every search implies, tells Prisma that the index is not its own.
CREATE INDEX "svc_mail_search_words_idx" ON "svc_mail_search" USING gin ("words")
WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE "words" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "svc_workspace_export" ADD CONSTRAINT "svc_workspace_export_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_write_uid_fkey" FOREIGN KEY ("workspace_id", "write_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_state_id_fkey" FOREIGN KEY ("workspace_id", "state_id") REFERENCES "res_country_state"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_industry_id_fkey" FOREIGN KEY ("workspace_id", "industry_id") REFERENCES "res_partner_industry"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_commercial_partner_id_fkey" FOREIGN KEY ("workspace_id", "commercial_partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_write_uid_fkey" FOREIGN KEY ("workspace_id", "write_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_groups" ADD CONSTRAINT "res_groups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_groups" ADD CONSTRAINT "res_groups_workspace_id_privilege_id_fkey" FOREIGN KEY ("workspace_id", "privilege_id") REFERENCES "res_groups_privilege"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_uid_fkey" FOREIGN KEY ("workspace_id", "uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_hid_fkey" FOREIGN KEY ("workspace_id", "hid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_cid_fkey" FOREIGN KEY ("workspace_id", "cid") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_partner_category" ADD CONSTRAINT "res_partner_category_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_partner_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_partner_res_partner_category_rel" ADD CONSTRAINT "res_partner_res_partner_category_rel_workspace_id_partner__fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_partner_res_partner_category_rel" ADD CONSTRAINT "res_partner_res_partner_category_rel_workspace_id_category_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "res_partner_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_users_log" ADD CONSTRAINT "res_users_log_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_api_key_use" ADD CONSTRAINT "svc_api_key_use_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "svc_api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "svc_api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_session_use" ADD CONSTRAINT "svc_session_use_workspace_id_hash_fkey" FOREIGN KEY ("workspace_id", "hash") REFERENCES "svc_session"("workspace_id", "hash") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mcp_log" ADD CONSTRAINT "svc_mcp_log_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_audit_event" ADD CONSTRAINT "svc_audit_event_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_bank_id_fkey" FOREIGN KEY ("workspace_id", "bank_id") REFERENCES "res_bank"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_users_identitycheck" ADD CONSTRAINT "res_users_identitycheck_workspace_id_description_id_fkey" FOREIGN KEY ("workspace_id", "description_id") REFERENCES "res_users_apikeys_description"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation_group_rel" ADD CONSTRAINT "svc_user_invitation_group_rel_workspace_id_invitation_id_fkey" FOREIGN KEY ("workspace_id", "invitation_id") REFERENCES "svc_user_invitation"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation_group_rel" ADD CONSTRAINT "svc_user_invitation_group_rel_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation_mailbox_rel" ADD CONSTRAINT "svc_user_invitation_mailbox_rel_workspace_id_invitation_id_fkey" FOREIGN KEY ("workspace_id", "invitation_id") REFERENCES "svc_user_invitation"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_user_invitation_mailbox_rel" ADD CONSTRAINT "svc_user_invitation_mailbox_rel_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_view_preferences" ADD CONSTRAINT "svc_view_preferences_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_saved_view" ADD CONSTRAINT "svc_saved_view_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_ui_state" ADD CONSTRAINT "svc_ui_state_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_record_undo" ADD CONSTRAINT "svc_record_undo_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_notification" ADD CONSTRAINT "svc_notification_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_field_stock" ADD CONSTRAINT "ir_field_stock_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "ir_model_stock"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_model_fields_selection" ADD CONSTRAINT "ir_model_fields_selection_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_record" ADD CONSTRAINT "ir_record_workspace_id_model_id_fkey" FOREIGN KEY ("workspace_id", "model_id") REFERENCES "ir_model"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_record_link" ADD CONSTRAINT "ir_record_link_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_field_index" ADD CONSTRAINT "ir_field_index_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_field_file" ADD CONSTRAINT "ir_field_file_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_model_access" ADD CONSTRAINT "ir_model_access_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "rule_group_rel" ADD CONSTRAINT "rule_group_rel_workspace_id_rule_group_id_fkey" FOREIGN KEY ("workspace_id", "rule_group_id") REFERENCES "ir_rule"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "rule_group_rel" ADD CONSTRAINT "rule_group_rel_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_groups_privilege" ADD CONSTRAINT "res_groups_privilege_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "ir_module_category"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "ir_module_module" ADD CONSTRAINT "ir_module_module_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "ir_module_category"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "ir_module_module_dependency" ADD CONSTRAINT "ir_module_module_dependency_workspace_id_module_id_fkey" FOREIGN KEY ("workspace_id", "module_id") REFERENCES "ir_module_module"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_attachment" ADD CONSTRAINT "ir_attachment_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "svc_upload" ADD CONSTRAINT "svc_upload_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_cron" ADD CONSTRAINT "ir_cron_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "ir_sequence" ADD CONSTRAINT "ir_sequence_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "ir_ui_menu" ADD CONSTRAINT "ir_ui_menu_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "ir_ui_menu"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "base_module_uninstall_rel" ADD CONSTRAINT "base_module_uninstall_rel_workspace_id_wizard_id_fkey" FOREIGN KEY ("workspace_id", "wizard_id") REFERENCES "base_module_uninstall"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "base_module_uninstall_rel" ADD CONSTRAINT "base_module_uninstall_rel_workspace_id_module_id_fkey" FOREIGN KEY ("workspace_id", "module_id") REFERENCES "ir_module_module"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_country" ADD CONSTRAINT "res_country_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "res_country_state" ADD CONSTRAINT "res_country_state_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "res_currency_rate" ADD CONSTRAINT "res_currency_rate_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_currency_rate" ADD CONSTRAINT "res_currency_rate_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_lang_install_rel" ADD CONSTRAINT "res_lang_install_rel_workspace_id_language_wizard_id_fkey" FOREIGN KEY ("workspace_id", "language_wizard_id") REFERENCES "base_language_install"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "res_lang_install_rel" ADD CONSTRAINT "res_lang_install_rel_workspace_id_lang_id_fkey" FOREIGN KEY ("workspace_id", "lang_id") REFERENCES "res_lang"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_subtype_id_fkey" FOREIGN KEY ("workspace_id", "subtype_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_author_id_fkey" FOREIGN KEY ("workspace_id", "author_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_message_res_partner_rel" ADD CONSTRAINT "mail_message_res_partner_rel_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_message_res_partner_rel" ADD CONSTRAINT "mail_message_res_partner_rel_workspace_id_res_partner_id_fkey" FOREIGN KEY ("workspace_id", "res_partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_message_subtype" ADD CONSTRAINT "mail_message_subtype_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_tracking_value" ADD CONSTRAINT "mail_tracking_value_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_tracking_value" ADD CONSTRAINT "mail_tracking_value_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_followers" ADD CONSTRAINT "mail_followers_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_followers_subtype_rel" ADD CONSTRAINT "mail_followers_subtype_rel_workspace_id_follower_id_fkey" FOREIGN KEY ("workspace_id", "follower_id") REFERENCES "mail_followers"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_followers_subtype_rel" ADD CONSTRAINT "mail_followers_subtype_rel_workspace_id_subtype_id_fkey" FOREIGN KEY ("workspace_id", "subtype_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_activity_type_id_fkey" FOREIGN KEY ("workspace_id", "activity_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_previous_activity_type_id_fkey" FOREIGN KEY ("workspace_id", "previous_activity_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "activity_attachment_rel" ADD CONSTRAINT "activity_attachment_rel_workspace_id_activity_id_fkey" FOREIGN KEY ("workspace_id", "activity_id") REFERENCES "mail_activity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "activity_attachment_rel" ADD CONSTRAINT "activity_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_activity_type" ADD CONSTRAINT "mail_activity_type_workspace_id_triggered_next_type_id_fkey" FOREIGN KEY ("workspace_id", "triggered_next_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "mail_activity_type" ADD CONSTRAINT "mail_activity_type_workspace_id_default_user_id_fkey" FOREIGN KEY ("workspace_id", "default_user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_agent" ADD CONSTRAINT "svc_agent_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "svc_agent"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_agent_held" ADD CONSTRAINT "svc_agent_held_workspace_id_decider_id_fkey" FOREIGN KEY ("workspace_id", "decider_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_agent_policy" ADD CONSTRAINT "svc_agent_policy_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_agent_spent" ADD CONSTRAINT "svc_agent_spent_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_connected_agent" ADD CONSTRAINT "svc_connected_agent_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_connected_agent_use" ADD CONSTRAINT "svc_connected_agent_use_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "svc_connected_agent"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_domain" ADD CONSTRAINT "svc_domain_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_domain" ADD CONSTRAINT "svc_domain_claimed_name_workspace_id_fkey" FOREIGN KEY ("claimed_name", "workspace_id") REFERENCES "domain_claim"("name", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_email_event" ADD CONSTRAINT "svc_email_event_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_outbox" ADD CONSTRAINT "svc_outbox_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_template_version" ADD CONSTRAINT "svc_template_version_workspace_id_template_id_fkey" FOREIGN KEY ("workspace_id", "template_id") REFERENCES "svc_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_contact" ADD CONSTRAINT "svc_contact_workspace_id_book_id_fkey" FOREIGN KEY ("workspace_id", "book_id") REFERENCES "svc_contact_book"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_campaign" ADD CONSTRAINT "svc_campaign_workspace_id_book_id_fkey" FOREIGN KEY ("workspace_id", "book_id") REFERENCES "svc_contact_book"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_webhook_call" ADD CONSTRAINT "svc_webhook_call_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "svc_webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_account" ADD CONSTRAINT "svc_mail_account_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_account" ADD CONSTRAINT "svc_mail_account_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_clock" ADD CONSTRAINT "svc_mail_clock_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_member" ADD CONSTRAINT "svc_mail_member_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_member" ADD CONSTRAINT "svc_mail_member_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_address" ADD CONSTRAINT "svc_mail_address_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_folder" ADD CONSTRAINT "svc_mail_folder_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_part" ADD CONSTRAINT "svc_mail_part_workspace_id_content_id_fkey" FOREIGN KEY ("workspace_id", "content_id") REFERENCES "svc_mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_content_id_fkey" FOREIGN KEY ("workspace_id", "content_id") REFERENCES "svc_mail_message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_folder_id_fkey" FOREIGN KEY ("workspace_id", "folder_id") REFERENCES "svc_mail_folder"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_label" ADD CONSTRAINT "svc_mail_label_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_entry_label" ADD CONSTRAINT "svc_mail_entry_label_workspace_id_entry_id_fkey" FOREIGN KEY ("workspace_id", "entry_id") REFERENCES "svc_mail_entry"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_entry_label" ADD CONSTRAINT "svc_mail_entry_label_workspace_id_label_id_fkey" FOREIGN KEY ("workspace_id", "label_id") REFERENCES "svc_mail_label"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_draft" ADD CONSTRAINT "svc_mail_draft_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_draft" ADD CONSTRAINT "svc_mail_draft_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_staged" ADD CONSTRAINT "svc_mail_staged_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_staged" ADD CONSTRAINT "svc_mail_staged_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_outgoing" ADD CONSTRAINT "svc_mail_outgoing_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_outgoing" ADD CONSTRAINT "svc_mail_outgoing_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_job" ADD CONSTRAINT "svc_mail_job_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_job" ADD CONSTRAINT "svc_mail_job_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_job_part" ADD CONSTRAINT "svc_mail_job_part_workspace_id_job_id_fkey" FOREIGN KEY ("workspace_id", "job_id") REFERENCES "svc_mail_job"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_rule" ADD CONSTRAINT "svc_mail_rule_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_block" ADD CONSTRAINT "svc_mail_block_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_autoreply" ADD CONSTRAINT "svc_mail_autoreply_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_feature" ADD CONSTRAINT "svc_mail_feature_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_policy" ADD CONSTRAINT "svc_mail_policy_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_reserved" ADD CONSTRAINT "svc_mail_reserved_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_undo" ADD CONSTRAINT "svc_mail_undo_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_prefs" ADD CONSTRAINT "svc_mail_prefs_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "svc_mail_delivery" ADD CONSTRAINT "svc_mail_delivery_workspace_id_intake_id_fkey" FOREIGN KEY ("workspace_id", "intake_id") REFERENCES "svc_mail_intake"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_ui_view" ADD CONSTRAINT "ir_ui_view_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ir_ui_view" ADD CONSTRAINT "ir_ui_view_workspace_id_visibility_group_id_fkey" FOREIGN KEY ("workspace_id", "visibility_group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "website_version" ADD CONSTRAINT "website_version_workspace_id_view_id_fkey" FOREIGN KEY ("workspace_id", "view_id") REFERENCES "ir_ui_view"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_page" ADD CONSTRAINT "website_page_workspace_id_view_id_fkey" FOREIGN KEY ("workspace_id", "view_id") REFERENCES "ir_ui_view"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_page" ADD CONSTRAINT "website_page_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_page_id_fkey" FOREIGN KEY ("workspace_id", "page_id") REFERENCES "website_page"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "website_menu"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "website_rewrite" ADD CONSTRAINT "website_rewrite_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_categ_id_fkey" FOREIGN KEY ("workspace_id", "categ_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_uom_id_fkey" FOREIGN KEY ("workspace_id", "uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "product_tax_rel" ADD CONSTRAINT "product_tax_rel_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_tax_rel" ADD CONSTRAINT "product_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_supplier_tax_rel" ADD CONSTRAINT "product_supplier_tax_rel_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_supplier_tax_rel" ADD CONSTRAINT "product_supplier_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_tag_template_rel" ADD CONSTRAINT "product_tag_template_rel_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_tag_template_rel" ADD CONSTRAINT "product_tag_template_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "product_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_product" ADD CONSTRAINT "product_product_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_category" ADD CONSTRAINT "product_category_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "uom_uom" ADD CONSTRAINT "uom_uom_workspace_id_relative_uom_id_fkey" FOREIGN KEY ("workspace_id", "relative_uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist" ADD CONSTRAINT "product_pricelist_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist" ADD CONSTRAINT "product_pricelist_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_categ_id_fkey" FOREIGN KEY ("workspace_id", "categ_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_product"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_base_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "base_pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_lang_id_fkey" FOREIGN KEY ("workspace_id", "lang_id") REFERENCES "res_lang"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_state_id_fkey" FOREIGN KEY ("workspace_id", "state_id") REFERENCES "res_country_state"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "crm_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_recurring_plan_fkey" FOREIGN KEY ("workspace_id", "recurring_plan") REFERENCES "crm_recurring_plan"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_lost_reason_id_fkey" FOREIGN KEY ("workspace_id", "lost_reason_id") REFERENCES "crm_lost_reason"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_campaign_id_fkey" FOREIGN KEY ("workspace_id", "campaign_id") REFERENCES "utm_campaign"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "utm_source"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_medium_id_fkey" FOREIGN KEY ("workspace_id", "medium_id") REFERENCES "utm_medium"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_tag_rel" ADD CONSTRAINT "crm_tag_rel_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "crm_lead"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "crm_tag_rel" ADD CONSTRAINT "crm_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "crm_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "crm_stage_team_rel" ADD CONSTRAINT "crm_stage_team_rel_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "crm_stage"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "crm_stage_team_rel" ADD CONSTRAINT "crm_stage_team_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "crm_team" ADD CONSTRAINT "crm_team_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_team" ADD CONSTRAINT "crm_team_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "crm_team_member_rel" ADD CONSTRAINT "crm_team_member_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "crm_team_member_rel" ADD CONSTRAINT "crm_team_member_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "utm_campaign" ADD CONSTRAINT "utm_campaign_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_invoice_id_fkey" FOREIGN KEY ("workspace_id", "partner_invoice_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_shipping_id_fkey" FOREIGN KEY ("workspace_id", "partner_shipping_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_payment_term_id_fkey" FOREIGN KEY ("workspace_id", "payment_term_id") REFERENCES "account_payment_term"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_opportunity_id_fkey" FOREIGN KEY ("workspace_id", "opportunity_id") REFERENCES "crm_lead"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_campaign_id_fkey" FOREIGN KEY ("workspace_id", "campaign_id") REFERENCES "utm_campaign"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "utm_source"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_medium_id_fkey" FOREIGN KEY ("workspace_id", "medium_id") REFERENCES "utm_medium"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sale_order_tag_rel" ADD CONSTRAINT "sale_order_tag_rel_workspace_id_order_id_fkey" FOREIGN KEY ("workspace_id", "order_id") REFERENCES "sale_order"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sale_order_tag_rel" ADD CONSTRAINT "sale_order_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "crm_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_order_id_fkey" FOREIGN KEY ("workspace_id", "order_id") REFERENCES "sale_order"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_product"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_product_uom_id_fkey" FOREIGN KEY ("workspace_id", "product_uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "sale_order_line_tax_rel" ADD CONSTRAINT "sale_order_line_tax_rel_workspace_id_line_id_fkey" FOREIGN KEY ("workspace_id", "line_id") REFERENCES "sale_order_line"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sale_order_line_tax_rel" ADD CONSTRAINT "sale_order_line_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "account_tax" ADD CONSTRAINT "account_tax_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "account_payment_term" ADD CONSTRAINT "account_payment_term_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "project_project_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "project_task_type_rel" ADD CONSTRAINT "project_task_type_rel_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_type_rel" ADD CONSTRAINT "project_task_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "project_task_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_project_tags_rel" ADD CONSTRAINT "project_project_tags_rel_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_project_tags_rel" ADD CONSTRAINT "project_project_tags_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "project_tags"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "project_task_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_milestone_id_fkey" FOREIGN KEY ("workspace_id", "milestone_id") REFERENCES "project_milestone"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "project_task_user_rel" ADD CONSTRAINT "project_task_user_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_user_rel" ADD CONSTRAINT "project_task_user_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_tags_rel" ADD CONSTRAINT "project_task_tags_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_tags_rel" ADD CONSTRAINT "project_task_tags_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "project_tags"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_dependency_rel" ADD CONSTRAINT "project_task_dependency_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_dependency_rel" ADD CONSTRAINT "project_task_dependency_rel_workspace_id_depends_on_id_fkey" FOREIGN KEY ("workspace_id", "depends_on_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_task_type" ADD CONSTRAINT "project_task_type_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_milestone" ADD CONSTRAINT "project_milestone_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "project_project_stage" ADD CONSTRAINT "project_project_stage_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team" ADD CONSTRAINT "helpdesk_team_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team" ADD CONSTRAINT "helpdesk_team_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team_member_rel" ADD CONSTRAINT "helpdesk_team_member_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team_member_rel" ADD CONSTRAINT "helpdesk_team_member_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team_stage_rel" ADD CONSTRAINT "helpdesk_team_stage_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_team_stage_rel" ADD CONSTRAINT "helpdesk_team_stage_rel_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_ticket_type_id_fkey" FOREIGN KEY ("workspace_id", "ticket_type_id") REFERENCES "helpdesk_ticket_type"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_tag_ticket_rel" ADD CONSTRAINT "helpdesk_tag_ticket_rel_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "helpdesk_ticket"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_tag_ticket_rel" ADD CONSTRAINT "helpdesk_tag_ticket_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "helpdesk_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla" ADD CONSTRAINT "helpdesk_sla_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "helpdesk_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla" ADD CONSTRAINT "helpdesk_sla_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "helpdesk_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_type_rel" ADD CONSTRAINT "helpdesk_sla_type_rel_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_type_rel" ADD CONSTRAINT "helpdesk_sla_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "helpdesk_ticket_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_tag_rel" ADD CONSTRAINT "helpdesk_sla_tag_rel_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_tag_rel" ADD CONSTRAINT "helpdesk_sla_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "helpdesk_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_status" ADD CONSTRAINT "helpdesk_sla_status_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "helpdesk_ticket"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "helpdesk_sla_status" ADD CONSTRAINT "helpdesk_sla_status_workspace_id_sla_id_fkey" FOREIGN KEY ("workspace_id", "sla_id") REFERENCES "helpdesk_sla"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event" ADD CONSTRAINT "calendar_event_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "calendar_event" ADD CONSTRAINT "calendar_event_workspace_id_recurrence_id_fkey" FOREIGN KEY ("workspace_id", "recurrence_id") REFERENCES "calendar_recurrence"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_partner_rel" ADD CONSTRAINT "calendar_event_partner_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_partner_rel" ADD CONSTRAINT "calendar_event_partner_rel_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_type_rel" ADD CONSTRAINT "calendar_event_type_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_type_rel" ADD CONSTRAINT "calendar_event_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "calendar_event_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_alarm_rel" ADD CONSTRAINT "calendar_event_alarm_rel_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_event_alarm_rel" ADD CONSTRAINT "calendar_event_alarm_rel_workspace_id_alarm_id_fkey" FOREIGN KEY ("workspace_id", "alarm_id") REFERENCES "calendar_alarm"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_attendee" ADD CONSTRAINT "calendar_attendee_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_attendee" ADD CONSTRAINT "calendar_attendee_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "calendar_recurrence" ADD CONSTRAINT "calendar_recurrence_workspace_id_base_event_id_fkey" FOREIGN KEY ("workspace_id", "base_event_id") REFERENCES "calendar_event"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Refuses a write whose rows do not satisfy the record rules: the statement that writes calls it on what it wrote.
CREATE FUNCTION "atrium_require"(allowed boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF allowed IS NOT TRUE THEN
    RAISE EXCEPTION 'a record rule refuses the row' USING ERRCODE = 'AT403';
  END IF;
  RETURN true;
END $$;

-- The legal changes of an email's state (MOVES in schema/email/state/email-state.ts): no code, and nobody at a console,
-- makes another. The rule stands in the condition of the trigger, so that a legal change calls no function. The trigger
-- fires afterwards, because one that fires before would lock each row once more.
CREATE FUNCTION "atrium_email_state"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an email that is % cannot become %', OLD.state, NEW.state
    USING ERRCODE = 'AT409', TABLE = 'svc_email', DETAIL = 'id ' || OLD.id;
END $$;

CREATE TRIGGER "state" AFTER UPDATE OF "state" ON "svc_email" FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NOT CASE OLD.state
    WHEN 'queued' THEN NEW.state IN ('sending', 'sent', 'failed', 'cancelled')
    WHEN 'sending' THEN NEW.state IN ('queued', 'sent', 'failed', 'unknown', 'cancelled', 'suppressed')
    WHEN 'sent' THEN NEW.state = 'queued'
    WHEN 'failed' THEN NEW.state IN ('queued', 'sent')
    WHEN 'unknown' THEN NEW.state IN ('queued', 'sent', 'failed', 'cancelled', 'suppressed')
    WHEN 'suppressed' THEN NEW.state = 'queued'
    ELSE false
  END)
  EXECUTE FUNCTION "atrium_email_state"();

-- Processes keep identities, rights, rules, models and fields in memory. Each change is announced with its workspace, so
-- that a process forgets no more than that; a statement on `workspace` makes them forget all.
CREATE FUNCTION "atrium_identity_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    PERFORM pg_notify('atrium_identity', '');
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM pg_notify('atrium_identity', OLD.workspace_id::text);
  ELSE
    PERFORM pg_notify('atrium_identity', NEW.workspace_id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_access" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_fields" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_fields_selection" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE ON "ir_module_module" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_rule" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR DELETE ON "res_company" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_company_users_rel" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity names" AFTER UPDATE ON "res_groups" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OF "external_id" OR DELETE ON "res_groups" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_implied_rel" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "res_groups_privilege" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_users_rel" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_lang" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "res_users" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "rule_group_rel" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_api_key" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_connected_agent" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_session" FOR EACH ROW
EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "workspace" FOR EACH STATEMENT
EXECUTE FUNCTION "atrium_identity_changed"();

-- Records which rows a statement has changed, for tables with a subscriber. Without one it costs one look-up per
-- statement. The look-up takes a snapshot of its own, so it sees a lease that has just been committed.
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

-- Adds these triggers to a table. They are statement triggers, so a statement that changes many rows runs one once.
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

-- Tables of records. At its start the application adds the triggers to tables of models that have come since.
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
