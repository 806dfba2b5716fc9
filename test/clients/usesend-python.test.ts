import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildExpectedEnvelope, type RestResponse, startTeam, type Team } from '../harness/facades/rest.ts';
import { findPython, getResult, type Line, runScript } from './python.ts';

const python = await findPython('requests', 'python3-requests');

python.describe("the requests of useSend's Python SDK", () => {
  let team: Team;
  let lines: Map<string, Line>;
  const answer = (name: string) => getResult(lines, name) as { status: number; body: RestResponse['json'] };
  const getBody = (name: string) => {
    const { status, body } = answer(name);
    expect([name, status, body]).toEqual([name, 200, body]);
    return body;
  };

  beforeAll(async () => {
    team = await startTeam();
    lines = await runScript(python.module, 'usesend_shapes.py', [team.url, team.main.teamKey, 'us_wrong']);
  });
  afterAll(() => team?.close());

  test('emails: sends, reads, deduplicates by idempotency key, and batches with "data"', () => {
    const { emailId } = getBody('emails.send');
    expect(getBody('emails.get')).toMatchObject({ id: emailId, subject: 'Hello', emailEvents: [] });
    expect(getBody('emails.send, again')).toEqual(getBody('emails.send, once'));
    expect(getBody('emails.batch').data).toEqual([
      { emailId: expect.any(String) },
      { emailId: expect.any(String) },
    ]);
  });

  test('treats a datetime without an offset as UTC', () => {
    const { emailId } = getBody('emails.send, planned');
    expect(getBody('emails.update')).toMatchObject({ emailId });
    expect(getBody('emails.get, planned').scheduledAt).toBe('2099-01-02T10:00:00.123Z');
    expect(getBody('emails.cancel')).toMatchObject({ emailId });
    expect(getBody('campaigns.get, scheduled').scheduledAt).toBe('2099-01-01T10:00:00.123Z');
  });

  test('domains: lists, creates, reads, verifies with an empty object, and deletes without a body', () => {
    expect(getBody('domains.list')).toEqual([expect.objectContaining({ name: 'main.test' })]);
    const { id } = getBody('domains.create');
    expect(getBody('domains.get')).toMatchObject({ id, name: 'python.example' });
    expect(getBody('domains.verify').message).toEqual(expect.any(String));
    expect(getBody('domains.delete')).toMatchObject({ id, success: true });
  });

  test('contact books: creates, lists, reads, changes and deletes', () => {
    const { id } = getBody('contact_books.create');
    expect(getBody('contact_books.list').map((book: { id: string }) => book.id)).toContain(id);
    expect(getBody('contact_books.get')).toMatchObject({ id, _count: { contacts: 0 } });
    expect(getBody('contact_books.update')).toMatchObject({ id, emoji: '*' });
    const other = getBody('contact_books.create, other').id;
    expect(getBody('contact_books.delete')).toMatchObject({ id: other, success: true });
    expect(answer('contact_books.delete, in use').status).toBe(400);
  });

  test('contacts: creates, reads, changes, upserts, lists by page and name, and adds and deletes in bulk', () => {
    const { contactId: id } = getBody('contacts.create');
    expect(getBody('contacts.get')).toMatchObject({ id, firstName: 'Ann', lastName: null });
    expect(getBody('contacts.update')).toEqual({ contactId: id });
    expect(getBody('contacts.upsert')).toEqual({ contactId: id });
    const ann = expect.objectContaining({ id, firstName: 'Anne', lastName: 'Lee' });
    expect(getBody('contacts.list')).toEqual([ann]);
    expect(getBody('contacts.list, some')).toEqual([ann]);
    expect(getBody('contacts.bulk_create')).toMatchObject({ count: 2 });
    expect(getBody('contacts.bulk_delete')).toEqual({ success: true, count: 2 });
    expect(getBody('contacts.delete')).toEqual({ success: true });
  });

  test('campaigns: creates, reads, schedules, pauses and resumes', () => {
    const { id } = getBody('campaigns.create');
    expect(getBody('campaigns.get')).toMatchObject({ id, status: 'DRAFT', name: 'Spring' });
    for (const operation of ['schedule', 'pause', 'resume'])
      expect(getBody(`campaigns.${operation}`)).toEqual({ success: true });
  });

  test('raises every error as an object with code and message', () => {
    const expectedErrors = {
      'no such email': [404, 'NOT_FOUND'],
      'no such domain': [404, 'NOT_FOUND'],
      'nothing to send': [400, 'BAD_REQUEST'],
      'wrong key': [401, 'UNAUTHORIZED'],
    } as const;
    for (const [name, [status, code]] of Object.entries(expectedErrors))
      expect(answer(name), name).toEqual({
        status,
        body: expect.objectContaining(buildExpectedEnvelope(code)),
      });
  });
});
