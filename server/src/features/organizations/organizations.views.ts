import type { Static } from '../../platform/schema/index.js'
import { organizationAccess } from '../permissions/index.js'
import { avatarAddress, userAddress, type ViewContext } from '../profiles/index.js'
import type { Member, Organization } from './organizations.queries.js'
import type { OrganizationView } from './organizations.schemas.js'

const organizationAddress = (origin: string, org: string) => `${origin}/api/v1/orgs/${encodeURIComponent(org)}`

/** What the caller may see: everybody the name and place, members the members and the address, its leaders the metadata. */
export const organizationView = (
  context: ViewContext,
  organization: Organization,
  members: readonly Member[],
): Static<typeof OrganizationView> => {
  const { origin } = context
  const access = organizationAccess(organization.callerRole ?? undefined)
  const hasMetadata = access.may('view_metadata') && Object.keys(organization.metadata).length > 0
  return {
    url: organizationAddress(origin, organization.username),
    org: organization.username,
    name: organization.name,
    ...(access.may('view') && { email: organization.contactEmail }),
    city: organization.city,
    country: organization.country,
    website: organization.website,
    social: organization.social,
    avatar: avatarAddress(context, organization),
    description: organization.description,
    address: organization.address,
    phonenumber: organization.phonenumber,
    require_auth: organization.requireAuth,
    allowed: [...access.allowed],
    user: userAddress(origin, organization.username),
    creator: organization.creator === null ? null : userAddress(origin, organization.creator),
    ...(access.may('view') && { users: members.map((member) => memberView(context, member)) }),
    ...(hasMetadata && { metadata: organization.metadata }),
  }
}

const memberView = (context: ViewContext, member: Member) => ({
  user: member.username,
  role: member.role,
  first_name: member.firstName,
  last_name: member.lastName,
  avatar: avatarAddress(context, member),
})
