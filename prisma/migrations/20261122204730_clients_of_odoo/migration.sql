-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_bank_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "res_partner_bank_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_users_apikeys_description" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "expiration_date" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "res_users_apikeys_description_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_users_identitycheck" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "description_id" INTEGER NOT NULL,
    "checked_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "res_users_identitycheck_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "base_language_install" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "overwrite" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "base_language_install_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_lang_install_rel" (
    "workspace_id" INTEGER NOT NULL,
    "language_wizard_id" INTEGER NOT NULL,
    "lang_id" INTEGER NOT NULL,

    CONSTRAINT "res_lang_install_rel_pkey" PRIMARY KEY ("workspace_id","language_wizard_id","lang_id")
);

-- CreateIndex
CREATE INDEX "res_partner_bank_workspace_id_partner_id_idx" ON "res_partner_bank"("workspace_id", "partner_id");

-- AddForeignKey
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_bank_id_fkey" FOREIGN KEY ("workspace_id", "bank_id") REFERENCES "res_bank"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_currency_id_fkey" FOREIGN KEY ("workspace_id", "currency_id") REFERENCES "res_currency"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner_bank" ADD CONSTRAINT "res_partner_bank_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users_identitycheck" ADD CONSTRAINT "res_users_identitycheck_workspace_id_description_id_fkey" FOREIGN KEY ("workspace_id", "description_id") REFERENCES "res_users_apikeys_description"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_lang_install_rel" ADD CONSTRAINT "res_lang_install_rel_workspace_id_language_wizard_id_fkey" FOREIGN KEY ("workspace_id", "language_wizard_id") REFERENCES "base_language_install"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_lang_install_rel" ADD CONSTRAINT "res_lang_install_rel_workspace_id_lang_id_fkey" FOREIGN KEY ("workspace_id", "lang_id") REFERENCES "res_lang"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "res_bank" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "res_partner_bank" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "res_users_apikeys_description" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "res_users_identitycheck" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "base_language_install" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "res_lang_install_rel" SET (autovacuum_analyze_scale_factor = 0.02);
