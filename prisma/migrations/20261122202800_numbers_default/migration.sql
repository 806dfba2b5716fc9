-- A number that nobody gives is 0. This comes before the rows that are there get theirs: the change of a table keeps
-- its readers out until the end of its transaction.
ALTER TABLE "crm_lead" ALTER COLUMN "expected_revenue" SET DEFAULT 0,
  ALTER COLUMN "recurring_revenue" SET DEFAULT 0,
  ALTER COLUMN "probability" SET DEFAULT 0,
  ALTER COLUMN "automated_probability" SET DEFAULT 0;
ALTER TABLE "ir_field_stock" ALTER COLUMN "tracking" SET DEFAULT 0;
ALTER TABLE "ir_model_fields" ALTER COLUMN "tracking" SET DEFAULT 0;
ALTER TABLE "product_pricelist_item" ALTER COLUMN "min_quantity" SET DEFAULT 0,
  ALTER COLUMN "fixed_price" SET DEFAULT 0,
  ALTER COLUMN "percent_price" SET DEFAULT 0,
  ALTER COLUMN "price_discount" SET DEFAULT 0,
  ALTER COLUMN "price_markup" SET DEFAULT 0,
  ALTER COLUMN "price_round" SET DEFAULT 0,
  ALTER COLUMN "price_surcharge" SET DEFAULT 0,
  ALTER COLUMN "price_min_margin" SET DEFAULT 0,
  ALTER COLUMN "price_max_margin" SET DEFAULT 0;
ALTER TABLE "product_product" ALTER COLUMN "standard_price" SET DEFAULT 0,
  ALTER COLUMN "weight" SET DEFAULT 0,
  ALTER COLUMN "volume" SET DEFAULT 0;
ALTER TABLE "product_template" ALTER COLUMN "standard_price" SET DEFAULT 0,
  ALTER COLUMN "weight" SET DEFAULT 0,
  ALTER COLUMN "volume" SET DEFAULT 0;
ALTER TABLE "project_task" ALTER COLUMN "allocated_hours" SET DEFAULT 0;
ALTER TABLE "res_country" ALTER COLUMN "phone_code" SET DEFAULT 0;
ALTER TABLE "res_currency" ALTER COLUMN "iso_numeric" SET DEFAULT 0;
ALTER TABLE "res_partner" ALTER COLUMN "partner_latitude" SET DEFAULT 0,
  ALTER COLUMN "partner_longitude" SET DEFAULT 0;
