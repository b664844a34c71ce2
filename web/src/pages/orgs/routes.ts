import type { RouteLocationNormalized, RouteRecordRaw } from 'vue-router'
import { listOrgs } from '@/api/orgs'
import { building } from '@/look/icons'
import type { PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/orgs'

const t = useTexts(en)
const props = ({ params }: RouteLocationNormalized) => ({ org: String(params.org) })

export const routes: RouteRecordRaw[] = [
  { path: '/orgs', component: () => import('./orgs.vue') },
  { path: '/orgs/:org', component: () => import('./overview/org-overview.vue'), props },
  { path: '/orgs/:org/teams', component: () => import('./teams/org-teams.vue'), props },
]

export const palette: PaletteSource[] = [
  {
    name: 'orgs',
    label: () => t('title'),
    find: async () =>
      (await listOrgs()).map(({ org, name }) => ({
        id: `org-${org}`,
        label: name,
        about: org,
        icon: building,
        to: `/orgs/${org}`,
      })),
  },
]
