import type { NavigationGuard, RouteRecordRaw } from 'vue-router'

const page = (path: string, component: RouteRecordRaw['component']): RouteRecordRaw =>
  ({
    path: `/forms/:formId(\\d+)${path}`,
    component,
    props: ({ params }: { params: Record<string, unknown> }) => ({
      formId: Number(params.formId),
      ...(params.serviceId !== undefined && { serviceId: Number(params.serviceId) }),
    }),
  }) as RouteRecordRaw

/** The parts of the settings were one page; links that were sent lead to the page that a part has become. */
const parts = new Map([
  ['#sharing', '/settings/people'],
  ['#files', '/settings/files'],
  ['#services', '/services'],
])
const toPart: NavigationGuard = ({ hash, params }) => {
  const path = parts.get(hash)
  return path === undefined ? true : { path: `/forms/${String(params.formId)}${path}`, replace: true }
}

export const routes: RouteRecordRaw[] = [
  { ...page('/settings', () => import('./general.vue')), beforeEnter: toPart } as RouteRecordRaw,
  page('/settings/people', () => import('./people.vue')),
  page('/settings/files', () => import('./files.vue')),
  page('/settings/records', () => import('./records.vue')),
  page('/services', () => import('./services.vue')),
  page('/services/:serviceId(\\d+)', () => import('./service.vue')),
]
