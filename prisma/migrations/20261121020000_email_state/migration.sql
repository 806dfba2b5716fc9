-- The legal changes of an email's state (MOVES in schema/send/state/email-state.ts): no code, and nobody at a console, makes
-- another. The rule stands in the condition of the trigger, so that a legal change calls no function; and the trigger
-- is one that fires afterwards, because one that fires before would lock each row once more. To create it reads no row;
-- it waits for the statements that write emails at that moment, and they for it.
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
    WHEN 'failed' THEN NEW.state = 'sent'
    WHEN 'unknown' THEN NEW.state IN ('queued', 'sent', 'failed', 'cancelled', 'suppressed')
    ELSE false
  END)
  EXECUTE FUNCTION "atrium_email_state"();
