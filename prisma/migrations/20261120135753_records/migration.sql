-- AlterTable
ALTER TABLE "res_company" ADD COLUMN     "color" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "create_uid" INTEGER,
ADD COLUMN     "currency_id" INTEGER,
ADD COLUMN     "custom" JSONB,
ADD COLUMN     "parent_id" INTEGER,
ADD COLUMN     "parent_path" TEXT,
ADD COLUMN     "primary_color" TEXT,
ADD COLUMN     "secondary_color" TEXT,
ADD COLUMN     "write_uid" INTEGER;

-- AlterTable
ALTER TABLE "res_groups" ADD COLUMN     "api_key_duration" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "create_uid" INTEGER,
ADD COLUMN     "custom" JSONB,
ADD COLUMN     "privilege_id" INTEGER,
ADD COLUMN     "sequence" INTEGER NOT NULL DEFAULT 10,
ADD COLUMN     "write_uid" INTEGER;

-- AlterTable
ALTER TABLE "res_partner" ADD COLUMN     "barcode" TEXT,
ADD COLUMN     "commercial_company_name" TEXT,
ADD COLUMN     "commercial_partner_id" INTEGER,
ADD COLUMN     "company_name" TEXT,
ADD COLUMN     "country_id" INTEGER,
ADD COLUMN     "custom" JSONB,
ADD COLUMN     "employee" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "image_1920" BYTEA,
ADD COLUMN     "industry_id" INTEGER,
ADD COLUMN     "partner_latitude" DOUBLE PRECISION,
ADD COLUMN     "partner_longitude" DOUBLE PRECISION,
ADD COLUMN     "state_id" INTEGER;

-- AlterTable
ALTER TABLE "res_users" ADD COLUMN     "custom" JSONB,
ADD COLUMN     "notification_type" TEXT NOT NULL DEFAULT 'email';

-- AlterTable
ALTER TABLE "svc_session" ADD COLUMN     "key_id" INTEGER;

-- CreateTable
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
    "expected_revenue" DECIMAL(20,4),
    "recurring_revenue" DECIMAL(20,4),
    "recurring_plan" INTEGER,
    "probability" DOUBLE PRECISION,
    "automated_probability" DOUBLE PRECISION,
    "lost_reason_id" INTEGER,
    "date_deadline" DATE,
    "date_open" TIMESTAMP(3),
    "date_closed" TIMESTAMP(3),
    "date_conversion" TIMESTAMP(3),
    "date_last_stage_update" TIMESTAMP(3),
    "date_automation_last" TIMESTAMP(3),
    "description" TEXT,
    "color" INTEGER DEFAULT 0,
    "referred" TEXT,
    "campaign_id" INTEGER,
    "source_id" INTEGER,
    "medium_id" INTEGER,
    "lead_properties" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_lead_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "lead_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "crm_tag_rel_pkey" PRIMARY KEY ("workspace_id","lead_id","tag_id")
);

-- CreateTable
CREATE TABLE "crm_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 1,
    "is_won" BOOLEAN NOT NULL DEFAULT false,
    "rotting_threshold_days" INTEGER DEFAULT 0,
    "requirements" TEXT,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "color" INTEGER DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_stage_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_stage_team_rel" (
    "workspace_id" INTEGER NOT NULL,
    "stage_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,

    CONSTRAINT "crm_stage_team_rel_pkey" PRIMARY KEY ("workspace_id","stage_id","team_id")
);

-- CreateTable
CREATE TABLE "crm_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_tag_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_team" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "color" INTEGER DEFAULT 0,
    "use_leads" BOOLEAN NOT NULL DEFAULT false,
    "use_opportunities" BOOLEAN NOT NULL DEFAULT true,
    "alias_name" TEXT,
    "alias_contact" TEXT NOT NULL DEFAULT 'everyone',
    "lead_properties_definition" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_team_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_team_member_rel" (
    "workspace_id" INTEGER NOT NULL,
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "crm_team_member_rel_pkey" PRIMARY KEY ("workspace_id","team_id","user_id")
);

-- CreateTable
CREATE TABLE "crm_lost_reason" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_lost_reason_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_recurring_plan" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "number_of_months" INTEGER NOT NULL,
    "sequence" INTEGER DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "crm_recurring_plan_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "utm_source" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "utm_source_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "utm_medium" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "utm_medium_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "utm_campaign" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "color" INTEGER DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "utm_campaign_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_template" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 1,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "type" TEXT NOT NULL DEFAULT 'consu',
    "list_price" DOUBLE PRECISION DEFAULT 1,
    "standard_price" DOUBLE PRECISION,
    "default_code" TEXT,
    "barcode" TEXT,
    "weight" DOUBLE PRECISION,
    "volume" DOUBLE PRECISION,
    "categ_id" INTEGER,
    "uom_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "sale_ok" BOOLEAN NOT NULL DEFAULT true,
    "purchase_ok" BOOLEAN NOT NULL DEFAULT true,
    "is_favorite" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "description_sale" TEXT,
    "description_purchase" TEXT,
    "invoice_policy" TEXT DEFAULT 'order',
    "service_type" TEXT DEFAULT 'manual',
    "color" INTEGER DEFAULT 0,
    "image_1920" BYTEA,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_template_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,

    CONSTRAINT "product_tax_rel_pkey" PRIMARY KEY ("workspace_id","product_id","tax_id")
);

-- CreateTable
CREATE TABLE "product_supplier_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,

    CONSTRAINT "product_supplier_tax_rel_pkey" PRIMARY KEY ("workspace_id","product_id","tax_id")
);

-- CreateTable
CREATE TABLE "product_tag_template_rel" (
    "workspace_id" INTEGER NOT NULL,
    "product_tmpl_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "product_tag_template_rel_pkey" PRIMARY KEY ("workspace_id","product_tmpl_id","tag_id")
);

-- CreateTable
CREATE TABLE "product_product" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "product_tmpl_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "default_code" TEXT,
    "barcode" TEXT,
    "standard_price" DOUBLE PRECISION,
    "weight" DOUBLE PRECISION,
    "volume" DOUBLE PRECISION,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_product_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_category" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "complete_name" TEXT NOT NULL DEFAULT '',
    "parent_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_category_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_tag" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 10,
    "color" TEXT DEFAULT '#3C3C3C',
    "visible_to_customers" BOOLEAN NOT NULL DEFAULT true,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_tag_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "uom_uom" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 100,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "relative_factor" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "relative_uom_id" INTEGER,
    "factor" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "uom_uom_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_pricelist" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 16,
    "currency_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_pricelist_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "product_pricelist_item" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "pricelist_id" INTEGER NOT NULL,
    "applied_on" TEXT NOT NULL DEFAULT '3_global',
    "categ_id" INTEGER,
    "product_tmpl_id" INTEGER,
    "product_id" INTEGER,
    "min_quantity" DOUBLE PRECISION,
    "date_start" TIMESTAMP(3),
    "date_end" TIMESTAMP(3),
    "compute_price" TEXT NOT NULL DEFAULT 'fixed',
    "fixed_price" DOUBLE PRECISION,
    "percent_price" DOUBLE PRECISION,
    "base" TEXT NOT NULL DEFAULT 'list_price',
    "base_pricelist_id" INTEGER,
    "price_discount" DOUBLE PRECISION,
    "price_markup" DOUBLE PRECISION,
    "price_round" DOUBLE PRECISION,
    "price_surcharge" DOUBLE PRECISION,
    "price_min_margin" DOUBLE PRECISION,
    "price_max_margin" DOUBLE PRECISION,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "product_pricelist_item_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_project" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 10,
    "partner_id" INTEGER,
    "company_id" INTEGER,
    "user_id" INTEGER,
    "stage_id" INTEGER,
    "color" INTEGER DEFAULT 0,
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_project_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_task_type_rel" (
    "workspace_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "type_id" INTEGER NOT NULL,

    CONSTRAINT "project_task_type_rel_pkey" PRIMARY KEY ("workspace_id","project_id","type_id")
);

-- CreateTable
CREATE TABLE "project_project_tags_rel" (
    "workspace_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "project_project_tags_rel_pkey" PRIMARY KEY ("workspace_id","project_id","tag_id")
);

-- CreateTable
CREATE TABLE "project_task" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 10,
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
    "allocated_hours" DOUBLE PRECISION,
    "color" INTEGER DEFAULT 0,
    "display_in_project" BOOLEAN NOT NULL DEFAULT true,
    "is_template" BOOLEAN NOT NULL DEFAULT false,
    "task_properties" JSONB,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_task_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_task_user_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "project_task_user_rel_pkey" PRIMARY KEY ("workspace_id","task_id","user_id")
);

-- CreateTable
CREATE TABLE "project_task_tags_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "project_task_tags_rel_pkey" PRIMARY KEY ("workspace_id","task_id","tag_id")
);

-- CreateTable
CREATE TABLE "project_task_dependency_rel" (
    "workspace_id" INTEGER NOT NULL,
    "task_id" INTEGER NOT NULL,
    "depends_on_id" INTEGER NOT NULL,

    CONSTRAINT "project_task_dependency_rel_pkey" PRIMARY KEY ("workspace_id","task_id","depends_on_id")
);

-- CreateTable
CREATE TABLE "project_task_type" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 1,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "user_id" INTEGER,
    "color" INTEGER DEFAULT 0,
    "rotting_threshold_days" INTEGER DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_task_type_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_tags" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER DEFAULT 0,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_tags_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_milestone" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER DEFAULT 10,
    "project_id" INTEGER NOT NULL,
    "deadline" DATE,
    "is_reached" BOOLEAN NOT NULL DEFAULT false,
    "reached_date" DATE,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_milestone_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_project_stage" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 50,
    "fold" BOOLEAN NOT NULL DEFAULT false,
    "color" INTEGER DEFAULT 0,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "project_project_stage_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "prepayment_percent" DOUBLE PRECISION DEFAULT 1,
    "signed_by" TEXT,
    "signed_on" TIMESTAMP(3),
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "sale_order_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "sale_order_tag_rel" (
    "workspace_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "sale_order_tag_rel_pkey" PRIMARY KEY ("workspace_id","order_id","tag_id")
);

-- CreateTable
CREATE TABLE "sale_order_line" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "sequence" INTEGER DEFAULT 10,
    "display_type" TEXT,
    "product_id" INTEGER,
    "name" TEXT NOT NULL,
    "product_uom_qty" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "product_uom_id" INTEGER,
    "price_unit" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "discount" DOUBLE PRECISION DEFAULT 0,
    "price_subtotal" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "price_tax" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "price_total" DECIMAL(20,4) NOT NULL DEFAULT 0,
    "qty_delivered" DOUBLE PRECISION DEFAULT 0,
    "qty_invoiced" DOUBLE PRECISION DEFAULT 0,
    "customer_lead" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "is_downpayment" BOOLEAN NOT NULL DEFAULT false,
    "is_expense" BOOLEAN NOT NULL DEFAULT false,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "sale_order_line_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "sale_order_line_tax_rel" (
    "workspace_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    "tax_id" INTEGER NOT NULL,

    CONSTRAINT "sale_order_line_tax_rel_pkey" PRIMARY KEY ("workspace_id","line_id","tax_id")
);

-- CreateTable
CREATE TABLE "account_tax" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 1,
    "type_tax_use" TEXT NOT NULL DEFAULT 'sale',
    "amount_type" TEXT NOT NULL DEFAULT 'percent',
    "amount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "price_include" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "company_id" INTEGER NOT NULL,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "account_tax_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "account_payment_term" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sequence" INTEGER DEFAULT 10,
    "note" TEXT,
    "company_id" INTEGER,
    "custom" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "account_payment_term_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_groups_privilege" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "placeholder" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 100,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_groups_privilege_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_partner_category" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "parent_id" INTEGER,
    "parent_path" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_partner_category_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_partner_res_partner_category_rel" (
    "workspace_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,

    CONSTRAINT "res_partner_res_partner_category_rel_pkey" PRIMARY KEY ("workspace_id","partner_id","category_id")
);

-- CreateTable
CREATE TABLE "res_partner_industry" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "full_name" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_partner_industry_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_users_log" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "res_users_log_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_replay" (
    "workspace_id" INTEGER NOT NULL,
    "principal" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_replay_pkey" PRIMARY KEY ("workspace_id","principal","key")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_model_stock" (
    "id" SERIAL NOT NULL,
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_stock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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
    "tracking" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'manual',
    "modules" TEXT NOT NULL DEFAULT '',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_fields_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_field_stock" (
    "id" SERIAL NOT NULL,
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
    "tracking" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'base',
    "modules" TEXT NOT NULL DEFAULT '',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_field_stock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ir_model_fields_selection" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "field_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 1000,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_fields_selection_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_record" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "model_id" INTEGER NOT NULL,
    "custom" JSONB NOT NULL DEFAULT '{}',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_record_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_record_link" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "self_id" INTEGER NOT NULL,
    "other_id" INTEGER NOT NULL,

    CONSTRAINT "ir_record_link_pkey" PRIMARY KEY ("workspace_id","field_id","self_id","other_id")
);

-- CreateTable
CREATE TABLE "ir_field_index" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "record_id" INTEGER NOT NULL,

    CONSTRAINT "ir_field_index_pkey" PRIMARY KEY ("workspace_id","field_id","record_id")
);

-- CreateTable
CREATE TABLE "ir_model_data" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "module" TEXT NOT NULL DEFAULT '',
    "model" TEXT NOT NULL,
    "res_id" INTEGER,
    "noupdate" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_data_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_model_access_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_rule_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "rule_group_rel" (
    "workspace_id" INTEGER NOT NULL,
    "rule_group_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "rule_group_rel_pkey" PRIMARY KEY ("workspace_id","rule_group_id","group_id")
);

-- CreateTable
CREATE TABLE "ir_module_module" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "shortdesc" TEXT,
    "summary" TEXT,
    "description" TEXT,
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_module_module_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_module_module_dependency" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "module_id" INTEGER NOT NULL,
    "auto_install_required" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_module_module_dependency_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_config_parameter" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_config_parameter_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "ir_attachment" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "res_model" TEXT,
    "res_field" TEXT,
    "res_id" INTEGER,
    "company_id" INTEGER,
    "type" TEXT NOT NULL DEFAULT 'binary',
    "url" TEXT,
    "public" BOOLEAN NOT NULL DEFAULT false,
    "access_token" TEXT,
    "store_hash" TEXT,
    "file_size" INTEGER NOT NULL DEFAULT 0,
    "checksum" TEXT,
    "mimetype" TEXT,
    "index_content" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "ir_attachment_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_blob" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_blob_pkey" PRIMARY KEY ("workspace_id","hash")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "ir_cron_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "ir_sequence_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "phone_code" INTEGER,
    "name_position" TEXT DEFAULT 'before',
    "vat_label" TEXT,
    "state_required" BOOLEAN NOT NULL DEFAULT false,
    "zip_required" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_country_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_country_state" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "country_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_country_state_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_currency" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "full_name" TEXT,
    "symbol" TEXT NOT NULL,
    "iso_numeric" INTEGER,
    "rounding" DOUBLE PRECISION NOT NULL DEFAULT 0.01,
    "position" TEXT DEFAULT 'after',
    "currency_unit_label" TEXT,
    "currency_subunit_label" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_currency_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_currency_rate" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "currency_id" INTEGER NOT NULL,
    "company_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_currency_rate_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_lang_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mail_message" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "subject" TEXT,
    "date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" TEXT DEFAULT '',
    "model" TEXT,
    "res_id" INTEGER,
    "message_type" TEXT NOT NULL DEFAULT 'comment',
    "subtype_id" INTEGER,
    "is_internal" BOOLEAN NOT NULL DEFAULT false,
    "author_id" INTEGER,
    "email_from" TEXT,
    "parent_id" INTEGER,
    "message_id" TEXT,
    "reply_to" TEXT,
    "pinned_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "mail_message_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mail_message_res_partner_rel" (
    "workspace_id" INTEGER NOT NULL,
    "mail_message_id" INTEGER NOT NULL,
    "res_partner_id" INTEGER NOT NULL,

    CONSTRAINT "mail_message_res_partner_rel_pkey" PRIMARY KEY ("workspace_id","mail_message_id","res_partner_id")
);

-- CreateTable
CREATE TABLE "message_attachment_rel" (
    "workspace_id" INTEGER NOT NULL,
    "message_id" INTEGER NOT NULL,
    "attachment_id" INTEGER NOT NULL,

    CONSTRAINT "message_attachment_rel_pkey" PRIMARY KEY ("workspace_id","message_id","attachment_id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "mail_message_subtype_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mail_tracking_value" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
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
    "mail_message_id" INTEGER NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "mail_tracking_value_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mail_followers" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "res_model" TEXT NOT NULL,
    "res_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "mail_followers_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mail_followers_subtype_rel" (
    "workspace_id" INTEGER NOT NULL,
    "follower_id" INTEGER NOT NULL,
    "subtype_id" INTEGER NOT NULL,

    CONSTRAINT "mail_followers_subtype_rel_pkey" PRIMARY KEY ("workspace_id","follower_id","subtype_id")
);

-- CreateTable
CREATE TABLE "mail_activity" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "res_model_id" INTEGER,
    "res_model" TEXT,
    "res_id" INTEGER,
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "mail_activity_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "activity_attachment_rel" (
    "workspace_id" INTEGER NOT NULL,
    "activity_id" INTEGER NOT NULL,
    "attachment_id" INTEGER NOT NULL,

    CONSTRAINT "activity_attachment_rel_pkey" PRIMARY KEY ("workspace_id","activity_id","attachment_id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "mail_activity_type_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_priority_id_idx" ON "crm_lead"("workspace_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_stage_id_priority_id_idx" ON "crm_lead"("workspace_id", "stage_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_user_id_priority_id_idx" ON "crm_lead"("workspace_id", "user_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_team_id_priority_id_idx" ON "crm_lead"("workspace_id", "team_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_type_priority_id_idx" ON "crm_lead"("workspace_id", "type", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "crm_lead_workspace_id_partner_id_idx" ON "crm_lead"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "crm_tag_rel_workspace_id_tag_id_idx" ON "crm_tag_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "crm_stage_workspace_id_sequence_idx" ON "crm_stage"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "crm_stage_team_rel_workspace_id_team_id_idx" ON "crm_stage_team_rel"("workspace_id", "team_id");

-- CreateIndex
CREATE UNIQUE INDEX "crm_tag_workspace_id_name_key" ON "crm_tag"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "crm_team_workspace_id_sequence_idx" ON "crm_team"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "crm_team_member_rel_workspace_id_user_id_idx" ON "crm_team_member_rel"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "utm_source_workspace_id_name_key" ON "utm_source"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "utm_medium_workspace_id_name_key" ON "utm_medium"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "utm_campaign_workspace_id_name_key" ON "utm_campaign"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "product_template_workspace_id_is_favorite_name_id_idx" ON "product_template"("workspace_id", "is_favorite" DESC, "name", "id");

-- CreateIndex
CREATE INDEX "product_template_workspace_id_categ_id_idx" ON "product_template"("workspace_id", "categ_id");

-- CreateIndex
CREATE INDEX "product_template_workspace_id_default_code_idx" ON "product_template"("workspace_id", "default_code");

-- CreateIndex
CREATE INDEX "product_tax_rel_workspace_id_tax_id_idx" ON "product_tax_rel"("workspace_id", "tax_id");

-- CreateIndex
CREATE INDEX "product_supplier_tax_rel_workspace_id_tax_id_idx" ON "product_supplier_tax_rel"("workspace_id", "tax_id");

-- CreateIndex
CREATE INDEX "product_tag_template_rel_workspace_id_tag_id_idx" ON "product_tag_template_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "product_product_workspace_id_default_code_idx" ON "product_product"("workspace_id", "default_code");

-- CreateIndex
CREATE INDEX "product_product_workspace_id_product_tmpl_id_idx" ON "product_product"("workspace_id", "product_tmpl_id");

-- CreateIndex
CREATE UNIQUE INDEX "product_product_workspace_id_barcode_key" ON "product_product"("workspace_id", "barcode");

-- CreateIndex
CREATE INDEX "product_category_workspace_id_complete_name_idx" ON "product_category"("workspace_id", "complete_name");

-- CreateIndex
CREATE INDEX "product_category_workspace_id_parent_id_idx" ON "product_category"("workspace_id", "parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "product_tag_workspace_id_name_key" ON "product_tag"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "uom_uom_workspace_id_sequence_idx" ON "uom_uom"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "uom_uom_workspace_id_relative_uom_id_idx" ON "uom_uom"("workspace_id", "relative_uom_id");

-- CreateIndex
CREATE INDEX "product_pricelist_workspace_id_sequence_idx" ON "product_pricelist"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "product_pricelist_item_workspace_id_pricelist_id_idx" ON "product_pricelist_item"("workspace_id", "pricelist_id");

-- CreateIndex
CREATE INDEX "product_pricelist_item_workspace_id_product_tmpl_id_idx" ON "product_pricelist_item"("workspace_id", "product_tmpl_id");

-- CreateIndex
CREATE INDEX "product_pricelist_item_workspace_id_product_id_idx" ON "product_pricelist_item"("workspace_id", "product_id");

-- CreateIndex
CREATE INDEX "product_pricelist_item_workspace_id_categ_id_idx" ON "product_pricelist_item"("workspace_id", "categ_id");

-- CreateIndex
CREATE INDEX "project_project_workspace_id_sequence_name_idx" ON "project_project"("workspace_id", "sequence", "name");

-- CreateIndex
CREATE INDEX "project_project_workspace_id_partner_id_idx" ON "project_project"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "project_task_type_rel_workspace_id_type_id_idx" ON "project_task_type_rel"("workspace_id", "type_id");

-- CreateIndex
CREATE INDEX "project_project_tags_rel_workspace_id_tag_id_idx" ON "project_project_tags_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "project_task_workspace_id_priority_sequence_date_deadline_i_idx" ON "project_task"("workspace_id", "priority" DESC, "sequence", "date_deadline", "id" DESC);

-- CreateIndex
CREATE INDEX "project_task_workspace_id_project_id_idx" ON "project_task"("workspace_id", "project_id");

-- CreateIndex
CREATE INDEX "project_task_workspace_id_stage_id_idx" ON "project_task"("workspace_id", "stage_id");

-- CreateIndex
CREATE INDEX "project_task_workspace_id_parent_id_idx" ON "project_task"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "project_task_workspace_id_milestone_id_idx" ON "project_task"("workspace_id", "milestone_id");

-- CreateIndex
CREATE INDEX "project_task_workspace_id_partner_id_idx" ON "project_task"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "project_task_user_rel_workspace_id_user_id_idx" ON "project_task_user_rel"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "project_task_tags_rel_workspace_id_tag_id_idx" ON "project_task_tags_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "project_task_dependency_rel_workspace_id_depends_on_id_idx" ON "project_task_dependency_rel"("workspace_id", "depends_on_id");

-- CreateIndex
CREATE INDEX "project_task_type_workspace_id_sequence_idx" ON "project_task_type"("workspace_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "project_tags_workspace_id_name_key" ON "project_tags"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "project_milestone_workspace_id_project_id_idx" ON "project_milestone"("workspace_id", "project_id");

-- CreateIndex
CREATE INDEX "project_project_stage_workspace_id_sequence_idx" ON "project_project_stage"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_name_idx" ON "sale_order"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_date_order_id_idx" ON "sale_order"("workspace_id", "date_order" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_partner_id_idx" ON "sale_order"("workspace_id", "partner_id");

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_user_id_date_order_id_idx" ON "sale_order"("workspace_id", "user_id", "date_order" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_state_date_order_id_idx" ON "sale_order"("workspace_id", "state", "date_order" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sale_order_workspace_id_opportunity_id_idx" ON "sale_order"("workspace_id", "opportunity_id");

-- CreateIndex
CREATE INDEX "sale_order_tag_rel_workspace_id_tag_id_idx" ON "sale_order_tag_rel"("workspace_id", "tag_id");

-- CreateIndex
CREATE INDEX "sale_order_line_workspace_id_order_id_sequence_id_idx" ON "sale_order_line"("workspace_id", "order_id", "sequence", "id");

-- CreateIndex
CREATE INDEX "sale_order_line_workspace_id_product_id_idx" ON "sale_order_line"("workspace_id", "product_id");

-- CreateIndex
CREATE INDEX "sale_order_line_tax_rel_workspace_id_tax_id_idx" ON "sale_order_line_tax_rel"("workspace_id", "tax_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_tax_workspace_id_company_id_type_tax_use_name_key" ON "account_tax"("workspace_id", "company_id", "type_tax_use", "name");

-- CreateIndex
CREATE INDEX "res_partner_category_workspace_id_parent_id_idx" ON "res_partner_category"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "res_partner_res_partner_category_rel_workspace_id_category__idx" ON "res_partner_res_partner_category_rel"("workspace_id", "category_id");

-- CreateIndex
CREATE INDEX "res_users_log_workspace_id_create_uid_create_date_idx" ON "res_users_log"("workspace_id", "create_uid", "create_date");

-- CreateIndex
CREATE INDEX "svc_replay_created_at_idx" ON "svc_replay"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "ir_model_workspace_id_model_key" ON "ir_model"("workspace_id", "model");

-- CreateIndex
CREATE UNIQUE INDEX "ir_model_stock_model_key" ON "ir_model_stock"("model");

-- CreateIndex
CREATE INDEX "ir_model_fields_workspace_id_model_id_idx" ON "ir_model_fields"("workspace_id", "model_id");

-- CreateIndex
CREATE UNIQUE INDEX "ir_model_fields_workspace_id_model_name_key" ON "ir_model_fields"("workspace_id", "model", "name");

-- CreateIndex
CREATE INDEX "ir_field_stock_model_id_idx" ON "ir_field_stock"("model_id");

-- CreateIndex
CREATE UNIQUE INDEX "ir_field_stock_model_name_key" ON "ir_field_stock"("model", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ir_model_fields_selection_workspace_id_field_id_value_key" ON "ir_model_fields_selection"("workspace_id", "field_id", "value");

-- CreateIndex
CREATE INDEX "ir_record_workspace_id_model_id_id_idx" ON "ir_record"("workspace_id", "model_id", "id");

-- CreateIndex
CREATE INDEX "ir_record_link_workspace_id_field_id_other_id_idx" ON "ir_record_link"("workspace_id", "field_id", "other_id");

-- CreateIndex
CREATE INDEX "ir_field_index_workspace_id_field_id_value_idx" ON "ir_field_index"("workspace_id", "field_id", "value");

-- CreateIndex
CREATE INDEX "ir_model_data_workspace_id_model_res_id_idx" ON "ir_model_data"("workspace_id", "model", "res_id");

-- CreateIndex
CREATE UNIQUE INDEX "ir_model_data_workspace_id_module_name_key" ON "ir_model_data"("workspace_id", "module", "name");

-- CreateIndex
CREATE INDEX "ir_model_access_workspace_id_model_id_idx" ON "ir_model_access"("workspace_id", "model_id");

-- CreateIndex
CREATE INDEX "ir_model_access_workspace_id_group_id_idx" ON "ir_model_access"("workspace_id", "group_id");

-- CreateIndex
CREATE INDEX "ir_rule_workspace_id_model_id_idx" ON "ir_rule"("workspace_id", "model_id");

-- CreateIndex
CREATE INDEX "rule_group_rel_workspace_id_group_id_idx" ON "rule_group_rel"("workspace_id", "group_id");

-- CreateIndex
CREATE UNIQUE INDEX "ir_module_module_workspace_id_name_key" ON "ir_module_module"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ir_module_module_dependency_workspace_id_module_id_name_key" ON "ir_module_module_dependency"("workspace_id", "module_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ir_config_parameter_workspace_id_key_key" ON "ir_config_parameter"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "ir_attachment_workspace_id_res_model_res_id_idx" ON "ir_attachment"("workspace_id", "res_model", "res_id");

-- CreateIndex
CREATE INDEX "ir_attachment_workspace_id_store_hash_idx" ON "ir_attachment"("workspace_id", "store_hash");

-- CreateIndex
CREATE INDEX "ir_cron_workspace_id_nextcall_idx" ON "ir_cron"("workspace_id", "nextcall");

-- CreateIndex
CREATE INDEX "ir_sequence_workspace_id_code_idx" ON "ir_sequence"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "res_country_workspace_id_code_key" ON "res_country"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "res_country_workspace_id_name_key" ON "res_country"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "res_country_state_workspace_id_country_id_code_key" ON "res_country_state"("workspace_id", "country_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "res_currency_workspace_id_name_key" ON "res_currency"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "res_currency_rate_workspace_id_currency_id_company_id_name_key" ON "res_currency_rate"("workspace_id", "currency_id", "company_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "res_lang_workspace_id_code_key" ON "res_lang"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "res_lang_workspace_id_name_key" ON "res_lang"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "res_lang_workspace_id_url_code_key" ON "res_lang"("workspace_id", "url_code");

-- CreateIndex
CREATE INDEX "mail_message_workspace_id_model_res_id_id_idx" ON "mail_message"("workspace_id", "model", "res_id", "id");

-- CreateIndex
CREATE INDEX "mail_message_workspace_id_message_id_idx" ON "mail_message"("workspace_id", "message_id");

-- CreateIndex
CREATE INDEX "mail_message_workspace_id_author_id_idx" ON "mail_message"("workspace_id", "author_id");

-- CreateIndex
CREATE INDEX "mail_message_workspace_id_parent_id_idx" ON "mail_message"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "mail_message_res_partner_rel_workspace_id_res_partner_id_idx" ON "mail_message_res_partner_rel"("workspace_id", "res_partner_id");

-- CreateIndex
CREATE INDEX "message_attachment_rel_workspace_id_attachment_id_idx" ON "message_attachment_rel"("workspace_id", "attachment_id");

-- CreateIndex
CREATE INDEX "mail_tracking_value_workspace_id_mail_message_id_idx" ON "mail_tracking_value"("workspace_id", "mail_message_id");

-- CreateIndex
CREATE INDEX "mail_followers_workspace_id_partner_id_idx" ON "mail_followers"("workspace_id", "partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_followers_workspace_id_res_model_res_id_partner_id_key" ON "mail_followers"("workspace_id", "res_model", "res_id", "partner_id");

-- CreateIndex
CREATE INDEX "mail_followers_subtype_rel_workspace_id_subtype_id_idx" ON "mail_followers_subtype_rel"("workspace_id", "subtype_id");

-- CreateIndex
CREATE INDEX "mail_activity_workspace_id_res_model_res_id_idx" ON "mail_activity"("workspace_id", "res_model", "res_id");

-- CreateIndex
CREATE INDEX "mail_activity_workspace_id_user_id_date_deadline_idx" ON "mail_activity"("workspace_id", "user_id", "date_deadline");

-- CreateIndex
CREATE INDEX "mail_activity_workspace_id_date_deadline_idx" ON "mail_activity"("workspace_id", "date_deadline");

-- CreateIndex
CREATE INDEX "activity_attachment_rel_workspace_id_attachment_id_idx" ON "activity_attachment_rel"("workspace_id", "attachment_id");

-- CreateIndex
CREATE UNIQUE INDEX "res_groups_workspace_id_privilege_id_name_key" ON "res_groups"("workspace_id", "privilege_id", "name");

-- CreateIndex
CREATE INDEX "res_groups_implied_rel_workspace_id_hid_idx" ON "res_groups_implied_rel"("workspace_id", "hid");

-- CreateIndex
CREATE INDEX "res_partner_workspace_id_commercial_partner_id_idx" ON "res_partner"("workspace_id", "commercial_partner_id");

-- CreateIndex
CREATE INDEX "res_users_workspace_id_partner_id_idx" ON "res_users"("workspace_id", "partner_id");

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_lang_id_fkey" FOREIGN KEY ("workspace_id", "lang_id") REFERENCES "res_lang"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_state_id_fkey" FOREIGN KEY ("workspace_id", "state_id") REFERENCES "res_country_state"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "crm_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_recurring_plan_fkey" FOREIGN KEY ("workspace_id", "recurring_plan") REFERENCES "crm_recurring_plan"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_lost_reason_id_fkey" FOREIGN KEY ("workspace_id", "lost_reason_id") REFERENCES "crm_lost_reason"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_campaign_id_fkey" FOREIGN KEY ("workspace_id", "campaign_id") REFERENCES "utm_campaign"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "utm_source"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_lead" ADD CONSTRAINT "crm_lead_workspace_id_medium_id_fkey" FOREIGN KEY ("workspace_id", "medium_id") REFERENCES "utm_medium"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_tag_rel" ADD CONSTRAINT "crm_tag_rel_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "crm_lead"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_tag_rel" ADD CONSTRAINT "crm_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "crm_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_stage_team_rel" ADD CONSTRAINT "crm_stage_team_rel_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "crm_stage"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_stage_team_rel" ADD CONSTRAINT "crm_stage_team_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_team" ADD CONSTRAINT "crm_team_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_team" ADD CONSTRAINT "crm_team_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_team_member_rel" ADD CONSTRAINT "crm_team_member_rel_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_team_member_rel" ADD CONSTRAINT "crm_team_member_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "utm_campaign" ADD CONSTRAINT "utm_campaign_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_categ_id_fkey" FOREIGN KEY ("workspace_id", "categ_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_uom_id_fkey" FOREIGN KEY ("workspace_id", "uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_template" ADD CONSTRAINT "product_template_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_tax_rel" ADD CONSTRAINT "product_tax_rel_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_tax_rel" ADD CONSTRAINT "product_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_supplier_tax_rel" ADD CONSTRAINT "product_supplier_tax_rel_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_supplier_tax_rel" ADD CONSTRAINT "product_supplier_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_tag_template_rel" ADD CONSTRAINT "product_tag_template_rel_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_tag_template_rel" ADD CONSTRAINT "product_tag_template_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "product_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_product" ADD CONSTRAINT "product_product_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_category" ADD CONSTRAINT "product_category_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "uom_uom" ADD CONSTRAINT "uom_uom_workspace_id_relative_uom_id_fkey" FOREIGN KEY ("workspace_id", "relative_uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist" ADD CONSTRAINT "product_pricelist_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist" ADD CONSTRAINT "product_pricelist_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_categ_id_fkey" FOREIGN KEY ("workspace_id", "categ_id") REFERENCES "product_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_product_tmpl_id_fkey" FOREIGN KEY ("workspace_id", "product_tmpl_id") REFERENCES "product_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_product"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_pricelist_item" ADD CONSTRAINT "product_pricelist_item_workspace_id_base_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "base_pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project" ADD CONSTRAINT "project_project_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "project_project_stage"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_type_rel" ADD CONSTRAINT "project_task_type_rel_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_type_rel" ADD CONSTRAINT "project_task_type_rel_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "project_task_type"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project_tags_rel" ADD CONSTRAINT "project_project_tags_rel_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project_tags_rel" ADD CONSTRAINT "project_project_tags_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "project_tags"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "stage_id") REFERENCES "project_task_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_milestone_id_fkey" FOREIGN KEY ("workspace_id", "milestone_id") REFERENCES "project_milestone"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task" ADD CONSTRAINT "project_task_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_user_rel" ADD CONSTRAINT "project_task_user_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_user_rel" ADD CONSTRAINT "project_task_user_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_tags_rel" ADD CONSTRAINT "project_task_tags_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_tags_rel" ADD CONSTRAINT "project_task_tags_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "project_tags"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_dependency_rel" ADD CONSTRAINT "project_task_dependency_rel_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_dependency_rel" ADD CONSTRAINT "project_task_dependency_rel_workspace_id_depends_on_id_fkey" FOREIGN KEY ("workspace_id", "depends_on_id") REFERENCES "project_task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_task_type" ADD CONSTRAINT "project_task_type_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_milestone" ADD CONSTRAINT "project_milestone_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project_project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_project_stage" ADD CONSTRAINT "project_project_stage_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_invoice_id_fkey" FOREIGN KEY ("workspace_id", "partner_invoice_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_partner_shipping_id_fkey" FOREIGN KEY ("workspace_id", "partner_shipping_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "crm_team"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_pricelist_id_fkey" FOREIGN KEY ("workspace_id", "pricelist_id") REFERENCES "product_pricelist"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_payment_term_id_fkey" FOREIGN KEY ("workspace_id", "payment_term_id") REFERENCES "account_payment_term"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_opportunity_id_fkey" FOREIGN KEY ("workspace_id", "opportunity_id") REFERENCES "crm_lead"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_campaign_id_fkey" FOREIGN KEY ("workspace_id", "campaign_id") REFERENCES "utm_campaign"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "utm_source"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order" ADD CONSTRAINT "sale_order_workspace_id_medium_id_fkey" FOREIGN KEY ("workspace_id", "medium_id") REFERENCES "utm_medium"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_tag_rel" ADD CONSTRAINT "sale_order_tag_rel_workspace_id_order_id_fkey" FOREIGN KEY ("workspace_id", "order_id") REFERENCES "sale_order"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_tag_rel" ADD CONSTRAINT "sale_order_tag_rel_workspace_id_tag_id_fkey" FOREIGN KEY ("workspace_id", "tag_id") REFERENCES "crm_tag"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_order_id_fkey" FOREIGN KEY ("workspace_id", "order_id") REFERENCES "sale_order"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "product_product"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_line" ADD CONSTRAINT "sale_order_line_workspace_id_product_uom_id_fkey" FOREIGN KEY ("workspace_id", "product_uom_id") REFERENCES "uom_uom"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_line_tax_rel" ADD CONSTRAINT "sale_order_line_tax_rel_workspace_id_line_id_fkey" FOREIGN KEY ("workspace_id", "line_id") REFERENCES "sale_order_line"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sale_order_line_tax_rel" ADD CONSTRAINT "sale_order_line_tax_rel_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "account_tax"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "account_tax" ADD CONSTRAINT "account_tax_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "account_payment_term" ADD CONSTRAINT "account_payment_term_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_state_id_fkey" FOREIGN KEY ("workspace_id", "state_id") REFERENCES "res_country_state"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_industry_id_fkey" FOREIGN KEY ("workspace_id", "industry_id") REFERENCES "res_partner_industry"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_commercial_partner_id_fkey" FOREIGN KEY ("workspace_id", "commercial_partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_groups" ADD CONSTRAINT "res_groups_workspace_id_privilege_id_fkey" FOREIGN KEY ("workspace_id", "privilege_id") REFERENCES "res_groups_privilege"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_category" ADD CONSTRAINT "res_partner_category_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_partner_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_res_partner_category_rel" ADD CONSTRAINT "res_partner_res_partner_category_rel_workspace_id_partner__fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_res_partner_category_rel" ADD CONSTRAINT "res_partner_res_partner_category_rel_workspace_id_category_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "res_partner_category"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users_log" ADD CONSTRAINT "res_users_log_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "svc_api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ir_field_stock" ADD CONSTRAINT "ir_field_stock_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "ir_model_stock"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_model_fields_selection" ADD CONSTRAINT "ir_model_fields_selection_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_record" ADD CONSTRAINT "ir_record_workspace_id_model_id_fkey" FOREIGN KEY ("workspace_id", "model_id") REFERENCES "ir_model"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_record_link" ADD CONSTRAINT "ir_record_link_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_field_index" ADD CONSTRAINT "ir_field_index_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_model_access" ADD CONSTRAINT "ir_model_access_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "rule_group_rel" ADD CONSTRAINT "rule_group_rel_workspace_id_rule_group_id_fkey" FOREIGN KEY ("workspace_id", "rule_group_id") REFERENCES "ir_rule"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "rule_group_rel" ADD CONSTRAINT "rule_group_rel_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_module_module_dependency" ADD CONSTRAINT "ir_module_module_dependency_workspace_id_module_id_fkey" FOREIGN KEY ("workspace_id", "module_id") REFERENCES "ir_module_module"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_attachment" ADD CONSTRAINT "ir_attachment_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_cron" ADD CONSTRAINT "ir_cron_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_sequence" ADD CONSTRAINT "ir_sequence_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_country" ADD CONSTRAINT "res_country_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_country_state" ADD CONSTRAINT "res_country_state_workspace_id_country_id_fkey" FOREIGN KEY ("workspace_id", "country_id") REFERENCES "res_country"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_currency_rate" ADD CONSTRAINT "res_currency_rate_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_currency_rate" ADD CONSTRAINT "res_currency_rate_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_subtype_id_fkey" FOREIGN KEY ("workspace_id", "subtype_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_author_id_fkey" FOREIGN KEY ("workspace_id", "author_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message_res_partner_rel" ADD CONSTRAINT "mail_message_res_partner_rel_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message_res_partner_rel" ADD CONSTRAINT "mail_message_res_partner_rel_workspace_id_res_partner_id_fkey" FOREIGN KEY ("workspace_id", "res_partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message_subtype" ADD CONSTRAINT "mail_message_subtype_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_tracking_value" ADD CONSTRAINT "mail_tracking_value_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_tracking_value" ADD CONSTRAINT "mail_tracking_value_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_followers" ADD CONSTRAINT "mail_followers_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_followers_subtype_rel" ADD CONSTRAINT "mail_followers_subtype_rel_workspace_id_follower_id_fkey" FOREIGN KEY ("workspace_id", "follower_id") REFERENCES "mail_followers"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_followers_subtype_rel" ADD CONSTRAINT "mail_followers_subtype_rel_workspace_id_subtype_id_fkey" FOREIGN KEY ("workspace_id", "subtype_id") REFERENCES "mail_message_subtype"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_activity_type_id_fkey" FOREIGN KEY ("workspace_id", "activity_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_previous_activity_type_id_fkey" FOREIGN KEY ("workspace_id", "previous_activity_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_activity" ADD CONSTRAINT "mail_activity_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activity_attachment_rel" ADD CONSTRAINT "activity_attachment_rel_workspace_id_activity_id_fkey" FOREIGN KEY ("workspace_id", "activity_id") REFERENCES "mail_activity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activity_attachment_rel" ADD CONSTRAINT "activity_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_activity_type" ADD CONSTRAINT "mail_activity_type_workspace_id_triggered_next_type_id_fkey" FOREIGN KEY ("workspace_id", "triggered_next_type_id") REFERENCES "mail_activity_type"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_activity_type" ADD CONSTRAINT "mail_activity_type_workspace_id_default_user_id_fkey" FOREIGN KEY ("workspace_id", "default_user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What the Prisma schema cannot say.

-- One number names a model or a field, whether it is the product's or a workspace's own.
ALTER TABLE "ir_model_stock" ALTER COLUMN "id" SET DEFAULT nextval('ir_model_id_seq');
DROP SEQUENCE "ir_model_stock_id_seq";
ALTER TABLE "ir_field_stock" ALTER COLUMN "id" SET DEFAULT nextval('ir_model_fields_id_seq');
DROP SEQUENCE "ir_field_stock_id_seq";

-- A statement that writes rows asks the record rules of what it wrote, and is undone when they refuse.
CREATE FUNCTION "atrium_require"(allowed boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF allowed IS NOT TRUE THEN
    RAISE EXCEPTION 'a record rule refuses the row' USING ERRCODE = 'AT403';
  END IF;
  RETURN true;
END $$;

-- What has changed is told with its workspace, so that a process forgets no more than that.
CREATE OR REPLACE FUNCTION "atrium_identity_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
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

DROP TRIGGER "identity" ON "svc_api_key";
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_api_key" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "svc_session";
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_session" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "res_users";
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "res_users" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "res_groups_users_rel";
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_users_rel" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "res_groups_implied_rel";
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_implied_rel" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "res_company_users_rel";
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_company_users_rel" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
DROP TRIGGER "identity" ON "res_groups";
CREATE TRIGGER "identity" AFTER UPDATE OF "external_id" OR DELETE ON "res_groups" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();

-- Rights, rules, models and fields are kept in memory as identities are.
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_access" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_rule" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "rule_group_rel" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_fields" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "ir_model_fields_selection" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_lang" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity names" AFTER UPDATE ON "res_groups" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "res_groups_privilege" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR DELETE ON "res_company" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
