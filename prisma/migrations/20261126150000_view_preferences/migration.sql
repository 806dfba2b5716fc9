-- CreateTable
CREATE TABLE "svc_view_preferences" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "theme" TEXT NOT NULL,
    "density" TEXT NOT NULL,
    "shortcuts" BOOLEAN NOT NULL,

    CONSTRAINT "svc_view_preferences_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- AddForeignKey
ALTER TABLE "svc_view_preferences" ADD CONSTRAINT "svc_view_preferences_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_view_preferences" SET (autovacuum_analyze_scale_factor = 0.02);
