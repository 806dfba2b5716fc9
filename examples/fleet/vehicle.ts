import { defineModel, defineOperation, errors, setHookValues, write } from 'atrium/app';

defineModel('fleet.vehicle', {
  group: 'data',
  order: 'name, id',
  searchNames: ['name', 'plate'],
  access: { 'fleet.group_fleet_user': 'r', 'fleet.group_fleet_manager': 'crwu' },
  prepare: (_ctx, list) => {
    for (const values of list) {
      if (typeof values.odometer === 'number' && values.odometer < 0)
        throw errors.user('An odometer cannot show less than 0.');
      if (values.status !== undefined)
        setHookValues(values, { retired_on: values.status === 'retired' ? today() : false });
    }
  },
});

const today = (): string => new Date().toISOString().slice(0, 10);

defineOperation('fleetVehicleRetire', {
  effects: ['writes'],
  address: 'fleet.vehicle/action_retire',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Retires vehicles: sets their status and date, and archives them.',
  args: (arg) => ({ ids: arg.intList({ required: true }) }),
  type: 'Boolean',
  run: async (ctx, { ids }) => {
    await write(ctx, 'fleet.vehicle', ids, { status: 'retired', active: false });
    return true;
  },
});
