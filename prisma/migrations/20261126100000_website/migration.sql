-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "website_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "ir_ui_view_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "website_version" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "view_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "lang" TEXT NOT NULL DEFAULT 'en_US',
    "arch" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "website_version_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "website_page" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "view_id" INTEGER NOT NULL,
    "website_id" INTEGER,
    "is_published" BOOLEAN NOT NULL DEFAULT false,
    "website_indexed" BOOLEAN NOT NULL DEFAULT true,
    "date_publish" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "website_page_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "website_menu_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
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
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,
    "custom" JSONB,

    CONSTRAINT "website_rewrite_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "website_workspace_id_domain_key" ON "website"("workspace_id", "domain");

-- CreateIndex
CREATE INDEX "ir_ui_view_workspace_id_key_idx" ON "ir_ui_view"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "ir_ui_view_workspace_id_website_id_idx" ON "ir_ui_view"("workspace_id", "website_id");

-- CreateIndex
CREATE INDEX "ir_ui_view_workspace_id_visibility_group_id_idx" ON "ir_ui_view"("workspace_id", "visibility_group_id");

-- CreateIndex
CREATE UNIQUE INDEX "website_version_workspace_id_view_id_number_key" ON "website_version"("workspace_id", "view_id", "number");

-- CreateIndex
CREATE INDEX "website_page_workspace_id_view_id_idx" ON "website_page"("workspace_id", "view_id");

-- CreateIndex
CREATE UNIQUE INDEX "website_page_workspace_id_website_id_url_key" ON "website_page"("workspace_id", "website_id", "url");

-- CreateIndex
CREATE INDEX "website_menu_workspace_id_website_id_idx" ON "website_menu"("workspace_id", "website_id");

-- CreateIndex
CREATE INDEX "website_menu_workspace_id_page_id_idx" ON "website_menu"("workspace_id", "page_id");

-- CreateIndex
CREATE INDEX "website_menu_workspace_id_parent_id_idx" ON "website_menu"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "website_rewrite_workspace_id_url_from_idx" ON "website_rewrite"("workspace_id", "url_from");

-- CreateIndex
CREATE INDEX "website_rewrite_workspace_id_website_id_idx" ON "website_rewrite"("workspace_id", "website_id");

-- AddForeignKey
ALTER TABLE "ir_ui_view" ADD CONSTRAINT "ir_ui_view_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ir_ui_view" ADD CONSTRAINT "ir_ui_view_workspace_id_visibility_group_id_fkey" FOREIGN KEY ("workspace_id", "visibility_group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_version" ADD CONSTRAINT "website_version_workspace_id_view_id_fkey" FOREIGN KEY ("workspace_id", "view_id") REFERENCES "ir_ui_view"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_page" ADD CONSTRAINT "website_page_workspace_id_view_id_fkey" FOREIGN KEY ("workspace_id", "view_id") REFERENCES "ir_ui_view"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_page" ADD CONSTRAINT "website_page_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_page_id_fkey" FOREIGN KEY ("workspace_id", "page_id") REFERENCES "website_page"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "website_menu"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_menu" ADD CONSTRAINT "website_menu_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "website_rewrite" ADD CONSTRAINT "website_rewrite_workspace_id_website_id_fkey" FOREIGN KEY ("workspace_id", "website_id") REFERENCES "website"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "website" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "ir_ui_view" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "website_version" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "website_page" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "website_menu" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "website_rewrite" SET (autovacuum_analyze_scale_factor = 0.02);
