export const email = {
  from: 'Bench <bench@main.localhost>',
  to: 'someone@example.org',
  subject: 'A message',
  html: '<p>Hello there</p>',
  text: 'Hello there',
};
