import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Grant, organizationAccess, projectAccess } from './access.js'
import { formPermissions, highestRole, projectActions, projectPermissions, roleNames } from './roles.js'

describe('the roles', () => {
  it('are the ten of the contract, in its order', () => {
    expect(roleNames.join(' ')).toBe(
      'member readonly-no-download readonly dataentry-only dataentry-minor dataentry editor-minor editor manager owner',
    )
  })

  it.each([
    ['member', ''],
    ['readonly-no-download', 'view view_all view_data'],
    ['readonly', 'view view_all view_data export'],
    ['dataentry-only', 'view submit'],
    ['dataentry-minor', 'view view_data export submit'],
    ['dataentry', 'view view_all view_data export submit'],
    ['editor-minor', 'view view_data export submit change delete_submission'],
    ['editor', 'view view_all view_data export submit change delete_submission'],
    ['manager', 'view view_all view_data export submit change delete_submission manage delete'],
    ['owner', 'view view_all view_data export submit change delete_submission manage delete move transfer'],
  ] as const)('%s may on a form: %s', (role, actions) => {
    expect([...formPermissions[role]].sort()).toEqual(actions.split(' ').filter(Boolean).sort())
  })

  it.each([
    ['member', ''],
    ['readonly-no-download', 'view view_all'],
    ['readonly', 'view view_all export'],
    ['dataentry-only', 'view submit'],
    ['dataentry-minor', 'view view_data export submit'],
    ['dataentry', 'view view_all view_data export submit'],
    ['editor-minor', 'view view_data export submit change_data'],
    ['editor', 'view view_all view_data export submit change_data'],
    ['manager', 'view view_all view_data export submit change_data manage'],
    ['owner', 'view view_all view_data export submit change_data manage grant_owner delete transfer'],
  ] as const)('%s may on a project: %s', (role, actions) => {
    expect([...projectPermissions[role]].sort()).toEqual(actions.split(' ').filter(Boolean).sort())
  })

  it.each([
    ['member', 'view'],
    ['editor', 'view'],
    ['manager', 'create_projects view view_metadata'],
    ['owner', 'change create_projects view view_metadata'],
  ] as const)('%s may in an organization: %s', (role, actions) => {
    expect([...organizationAccess(role).allowed].sort().join(' ')).toBe(actions)
  })
})

describe('access', () => {
  const grant = fc.record<Grant>({
    role: fc.constantFrom(...roleNames),
    source: fc.constantFrom('owner', 'direct', 'team', 'organization'),
    through: fc.constant(null),
  })

  it('is the union over all grants, whatever their order, and keeps the reasons', () => {
    fc.assert(
      fc.property(fc.array(grant), (grants) => {
        const access = projectAccess(grants)
        for (const action of projectActions) {
          expect(access.may(action)).toBe(grants.some(({ role }) => projectPermissions[role].includes(action)))
        }
        expect(access.grants).toEqual(grants)
        expect(projectAccess([...grants].reverse()).role).toBe(access.role)
        expect(access.role).toBe(highestRole(grants.map(({ role }) => role)))
      }),
    )
  })

  it('without a grant allows nothing', () => {
    expect([...projectAccess([]).allowed]).toEqual([])
    expect([...organizationAccess(undefined).allowed]).toEqual([])
  })
})
