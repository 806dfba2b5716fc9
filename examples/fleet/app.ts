import { addRecords, defineApp } from 'atrium/app';
import './vehicle.ts';

export default defineApp({
  name: 'fleet',
  label: 'Fleet',
  summary: 'Vehicles and who drives them',
  version: '1.0',
  author: 'Atrium',
  surface: 1,
  models: ['fleet'],
  depends: ['base', 'contacts'],
  groups: [
    { id: 'fleet.group_fleet_user', name: 'User', privilege: 'Fleet', implies: ['base.group_user'] },
    {
      id: 'fleet.group_fleet_manager',
      name: 'Administrator',
      privilege: 'Fleet',
      implies: ['fleet.group_fleet_user'],
    },
  ],
  settings: [],
  migrations: [],
  initialData: async () => undefined,
  demo: async (ctx) => {
    // Each record has an external id. Existing records are skipped, so this can run again.
    await addRecords(ctx, 'fleet', 'fleet.vehicle', {
      vehicle_van: { name: 'Delivery Van', plate: 'AB 123', odometer: 48_200 },
      vehicle_car: { name: 'Company Car', plate: 'CD 456', odometer: 12_750 },
    });
  },
});
