// /user/device_password: what devices sign in with by Digest, where the server offers it.
import type { Room } from '../../platform/deps.js'
import {
  absent,
  type Caller,
  errors,
  faultsFrom,
  forbidden,
  NoBody,
  notOffered,
  throwFaults,
} from '../../platform/http/index.js'
import {
  credentialSettings,
  deleteDevicePassword,
  findDevicePassword,
  renewDevicePassword,
} from '../credentials/index.js'
import { DevicePasswordBody, DevicePasswordState, DevicePasswordView } from './account.schemas.js'
import { confirm } from './confirm.js'
import { proven } from './proven.js'

const refusePrograms = ({ credential }: Caller): void => {
  if (credential.kind === 'bearer') throw forbidden('An OAuth access token has no part in device passwords.')
}

export const devicePasswordRoutes: Room = async (app, deps) => {
  const { db } = deps
  const { isDigestEnabled } = deps.config.of(credentialSettings)
  const refuseWhereOff = (): void => {
    if (!isDigestEnabled) throw notOffered('This server does not offer Digest (ENABLE_DIGEST).')
  }

  app.get(
    '/user/device_password',
    {
      config: { operation: 'account.device_password', access: 'user' },
      schema: {
        summary: 'Whether there is a password for devices',
        description: 'The password itself is shown when it is made, and never again.',
        tags: ['account'],
        response: { 200: DevicePasswordState, ...errors(401, 403) },
      },
    },
    async ({ caller }) => {
      refusePrograms(caller)
      const found = await findDevicePassword(db, caller.id)
      return { is_offered: isDigestEnabled, created_at: found?.createdAt.toISOString() ?? null }
    },
  )

  app.post(
    '/user/device_password',
    {
      config: { operation: 'account.renew_device_password', access: 'user' },
      schema: {
        summary: 'A new password for devices',
        description:
          'For devices that come without https and sign in by Digest: it opens the OpenRosa addresses alone, and ends with a change of the account’s password. The former one ends at once. Wrong passwords count as those of a change of password.',
        tags: ['account'],
        body: DevicePasswordBody,
        response: { 201: DevicePasswordView, ...errors(400, 401, 403) },
      },
      attachValidation: true,
    },
    async ({ caller, body, validationError }, reply) => {
      refuseWhereOff()
      refusePrograms(caller)
      throwFaults(faultsFrom(validationError))
      await confirm(deps, caller.id, body.password)
      const password = await proven(db, caller, (tx) => renewDevicePassword(tx, deps, caller.id))
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ username: caller.username, device_password: password })
    },
  )

  app.delete(
    '/user/device_password',
    {
      config: { operation: 'account.delete_device_password', access: 'user' },
      schema: {
        summary: 'End the password for devices',
        tags: ['account'],
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ caller }, reply) => {
      refusePrograms(caller)
      if (!(await deleteDevicePassword(db, caller.id))) throw absent()
      return reply.code(204).send(null)
    },
  )
}
