import { defineApp } from '../kit/app.ts';
import { addCalendarDemoData } from './demo.ts';
import { addCalendarInitialData } from './initial-data.ts';
import './alarm.ts';
import './invitation-response.ts';
import './attendee.ts';
import './busy.ts';
import './event.ts';
import './event-type.ts';
import './feed.ts';
import './import.ts';
import './invite/reply.ts';
import './recurrence/extend.ts';
import './recurrence/recurrence.ts';

export const calendar = defineApp({
  name: 'calendar',
  label: 'Calendar',
  summary: 'Meetings, invitations and reminders',
  category: 'Productivity',
  version: '1.0',
  author: 'Atrium',
  models: ['calendar'],
  depends: ['base', 'contacts'],
  // Every internal user has a calendar.
  groups: [],
  settings: [],
  migrations: [],
  initialData: addCalendarInitialData,
  demo: addCalendarDemoData,
});
