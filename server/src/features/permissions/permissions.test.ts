import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formAccess, type Grant, mayGiveFormRole, mayGiveRole, organizationAccess, projectAccess } from './access.js'
import { lossOf } from './lapsed.js'
import {
  formPermissions,
  highestRole,
  isSharedRole,
  parseRestriction,
  projectActions,
  projectPermissions,
  projectRolesThatMay,
  type RoleName,
  roleNames,
  rolesThatMay,
} from './roles.js'

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

describe('a role that is given away', () => {
  const grant = (role: RoleName): Grant[] => [{ role, source: 'direct', through: null }]

  it('is any but that of a member; an owner’s only by owners', () => {
    const given = [...roleNames, 'king']
    const byManager = given.filter((role) => mayGiveRole(projectAccess(grant('manager')), role))
    expect(byManager).toEqual(roleNames.slice(1, -1))
    expect(given.filter((role) => mayGiveFormRole(formAccess(grant('manager')), role))).toEqual(byManager)
    expect(given.filter((role) => mayGiveRole(projectAccess(grant('owner')), role))).toEqual(roleNames.slice(1))
    expect(given.filter((role) => mayGiveFormRole(formAccess(grant('owner')), role))).toEqual(roleNames.slice(1))
    expect(given.filter(isSharedRole)).toEqual(roleNames.slice(1))
  })

  it('is found by what it allows', () => {
    expect(rolesThatMay('manage')).toEqual(['manager', 'owner'])
    expect(projectRolesThatMay('grant_owner')).toEqual(['owner'])
    expect(projectRolesThatMay('change_data')).toEqual(['editor-minor', 'editor', 'manager', 'owner'])
  })
})

describe('what a form makes of roles', () => {
  it.each([
    ['editor|dataentry|readonly', ['editor', 'dataentry', 'readonly']],
    [
      ' editor-minor | dataentry-only | readonly-no-download ',
      ['editor-minor', 'dataentry-only', 'readonly-no-download'],
    ],
    ['editor|dataentry', undefined],
    ['editor|dataentry|readonly|readonly', undefined],
    ['editor|dataentry|editor', undefined],
    ['manager|dataentry|readonly', undefined],
    ['', undefined],
  ])('%s: %j', (text, roles) => {
    expect(parseRestriction(text)).toEqual(roles)
  })
})

describe('what is said of a right that is lost', () => {
  it.each([
    [null, 'the account that it acted for is gone'],
    [{ username: 'ana', isActive: false }, 'the account of ana is closed'],
    [{ username: 'ana', isActive: true }, 'ana no longer manages the form'],
  ])('%j: %s', (actor, words) => {
    expect(lossOf(actor, 'manages the form')).toBe(words)
  })
})
