-- Numbers that were not given were null, and shown as 0; now they are 0, as in Odoo. The rows are changed before any
-- table is locked.
UPDATE "account_payment_term" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "account_tax" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "crm_lead" SET "expected_revenue" = coalesce("expected_revenue", 0),
  "recurring_revenue" = coalesce("recurring_revenue", 0),
  "probability" = coalesce("probability", 0),
  "automated_probability" = coalesce("automated_probability", 0),
  "color" = coalesce("color", 0)
  WHERE "expected_revenue" IS NULL OR "recurring_revenue" IS NULL OR "probability" IS NULL
    OR "automated_probability" IS NULL OR "color" IS NULL;
UPDATE "crm_recurring_plan" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "crm_stage" SET "sequence" = coalesce("sequence", 0),
  "rotting_threshold_days" = coalesce("rotting_threshold_days", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "rotting_threshold_days" IS NULL OR "color" IS NULL;
UPDATE "crm_tag" SET "color" = 0 WHERE "color" IS NULL;
UPDATE "crm_team" SET "sequence" = coalesce("sequence", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "color" IS NULL;
UPDATE "ir_field_stock" SET "tracking" = 0 WHERE "tracking" IS NULL;
UPDATE "ir_model_fields" SET "tracking" = 0 WHERE "tracking" IS NULL;
UPDATE "product_pricelist" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "product_pricelist_item" SET "min_quantity" = coalesce("min_quantity", 0),
  "fixed_price" = coalesce("fixed_price", 0),
  "percent_price" = coalesce("percent_price", 0),
  "price_discount" = coalesce("price_discount", 0),
  "price_markup" = coalesce("price_markup", 0),
  "price_round" = coalesce("price_round", 0),
  "price_surcharge" = coalesce("price_surcharge", 0),
  "price_min_margin" = coalesce("price_min_margin", 0),
  "price_max_margin" = coalesce("price_max_margin", 0)
  WHERE "min_quantity" IS NULL OR "fixed_price" IS NULL OR "percent_price" IS NULL OR "price_discount" IS NULL
    OR "price_markup" IS NULL OR "price_round" IS NULL OR "price_surcharge" IS NULL OR "price_min_margin" IS NULL
    OR "price_max_margin" IS NULL;
UPDATE "product_product" SET "standard_price" = coalesce("standard_price", 0),
  "weight" = coalesce("weight", 0),
  "volume" = coalesce("volume", 0)
  WHERE "standard_price" IS NULL OR "weight" IS NULL OR "volume" IS NULL;
UPDATE "product_tag" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "product_template" SET "sequence" = coalesce("sequence", 0),
  "list_price" = coalesce("list_price", 0),
  "standard_price" = coalesce("standard_price", 0),
  "weight" = coalesce("weight", 0),
  "volume" = coalesce("volume", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "list_price" IS NULL OR "standard_price" IS NULL OR "weight" IS NULL
    OR "volume" IS NULL OR "color" IS NULL;
UPDATE "project_milestone" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "project_project" SET "sequence" = coalesce("sequence", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "color" IS NULL;
UPDATE "project_project_stage" SET "sequence" = coalesce("sequence", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "color" IS NULL;
UPDATE "project_tags" SET "color" = 0 WHERE "color" IS NULL;
UPDATE "project_task" SET "sequence" = coalesce("sequence", 0),
  "allocated_hours" = coalesce("allocated_hours", 0),
  "color" = coalesce("color", 0)
  WHERE "sequence" IS NULL OR "allocated_hours" IS NULL OR "color" IS NULL;
UPDATE "project_task_type" SET "sequence" = coalesce("sequence", 0),
  "color" = coalesce("color", 0),
  "rotting_threshold_days" = coalesce("rotting_threshold_days", 0)
  WHERE "sequence" IS NULL OR "color" IS NULL OR "rotting_threshold_days" IS NULL;
UPDATE "res_country" SET "phone_code" = 0 WHERE "phone_code" IS NULL;
UPDATE "res_currency" SET "iso_numeric" = 0 WHERE "iso_numeric" IS NULL;
UPDATE "res_partner" SET "partner_latitude" = coalesce("partner_latitude", 0),
  "partner_longitude" = coalesce("partner_longitude", 0)
  WHERE "partner_latitude" IS NULL OR "partner_longitude" IS NULL;
UPDATE "sale_order" SET "prepayment_percent" = 0 WHERE "prepayment_percent" IS NULL;
UPDATE "sale_order_line" SET "sequence" = coalesce("sequence", 0),
  "discount" = coalesce("discount", 0),
  "qty_delivered" = coalesce("qty_delivered", 0),
  "qty_invoiced" = coalesce("qty_invoiced", 0)
  WHERE "sequence" IS NULL OR "discount" IS NULL OR "qty_delivered" IS NULL OR "qty_invoiced" IS NULL;
UPDATE "uom_uom" SET "sequence" = 0 WHERE "sequence" IS NULL;
UPDATE "utm_campaign" SET "color" = 0 WHERE "color" IS NULL;

ALTER TABLE "account_payment_term" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "account_tax" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "crm_lead" ALTER COLUMN "expected_revenue" SET NOT NULL,
  ALTER COLUMN "recurring_revenue" SET NOT NULL,
  ALTER COLUMN "probability" SET NOT NULL,
  ALTER COLUMN "automated_probability" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "crm_recurring_plan" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "crm_stage" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "rotting_threshold_days" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "crm_tag" ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "crm_team" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "ir_field_stock" ALTER COLUMN "tracking" SET NOT NULL;
ALTER TABLE "ir_model_fields" ALTER COLUMN "tracking" SET NOT NULL;
ALTER TABLE "product_pricelist" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "product_pricelist_item" ALTER COLUMN "min_quantity" SET NOT NULL,
  ALTER COLUMN "fixed_price" SET NOT NULL,
  ALTER COLUMN "percent_price" SET NOT NULL,
  ALTER COLUMN "price_discount" SET NOT NULL,
  ALTER COLUMN "price_markup" SET NOT NULL,
  ALTER COLUMN "price_round" SET NOT NULL,
  ALTER COLUMN "price_surcharge" SET NOT NULL,
  ALTER COLUMN "price_min_margin" SET NOT NULL,
  ALTER COLUMN "price_max_margin" SET NOT NULL;
ALTER TABLE "product_product" ALTER COLUMN "standard_price" SET NOT NULL,
  ALTER COLUMN "weight" SET NOT NULL,
  ALTER COLUMN "volume" SET NOT NULL;
ALTER TABLE "product_tag" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "product_template" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "list_price" SET NOT NULL,
  ALTER COLUMN "standard_price" SET NOT NULL,
  ALTER COLUMN "weight" SET NOT NULL,
  ALTER COLUMN "volume" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "project_milestone" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "project_project" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "project_project_stage" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "project_tags" ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "project_task" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "allocated_hours" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL;
ALTER TABLE "project_task_type" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "color" SET NOT NULL,
  ALTER COLUMN "rotting_threshold_days" SET NOT NULL;
ALTER TABLE "res_country" ALTER COLUMN "phone_code" SET NOT NULL;
ALTER TABLE "res_currency" ALTER COLUMN "iso_numeric" SET NOT NULL;
ALTER TABLE "res_partner" ALTER COLUMN "partner_latitude" SET NOT NULL,
  ALTER COLUMN "partner_longitude" SET NOT NULL;
ALTER TABLE "sale_order" ALTER COLUMN "prepayment_percent" SET NOT NULL;
ALTER TABLE "sale_order_line" ALTER COLUMN "sequence" SET NOT NULL,
  ALTER COLUMN "discount" SET NOT NULL,
  ALTER COLUMN "qty_delivered" SET NOT NULL,
  ALTER COLUMN "qty_invoiced" SET NOT NULL;
ALTER TABLE "uom_uom" ALTER COLUMN "sequence" SET NOT NULL;
ALTER TABLE "utm_campaign" ALTER COLUMN "color" SET NOT NULL;
