-- An email that has failed can be sent again (MOVES in schema/send/state/email-state.ts). Nothing is read; it waits for the
-- statements that write emails at that moment, and they for it.
DROP TRIGGER "state" ON "svc_email";

CREATE TRIGGER "state" AFTER UPDATE OF "state" ON "svc_email" FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NOT CASE OLD.state
    WHEN 'queued' THEN NEW.state IN ('sending', 'sent', 'failed', 'cancelled')
    WHEN 'sending' THEN NEW.state IN ('queued', 'sent', 'failed', 'unknown', 'cancelled', 'suppressed')
    WHEN 'sent' THEN NEW.state = 'queued'
    WHEN 'failed' THEN NEW.state IN ('queued', 'sent')
    WHEN 'unknown' THEN NEW.state IN ('queued', 'sent', 'failed', 'cancelled', 'suppressed')
    ELSE false
  END)
  EXECUTE FUNCTION "atrium_email_state"();
