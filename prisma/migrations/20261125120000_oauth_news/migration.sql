DROP TRIGGER "identity" ON "svc_oauth_payload";
