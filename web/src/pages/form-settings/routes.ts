import type { RouteRecordRaw } from 'vue-router'

const page = (path: string, component: RouteRecordRaw['component']): RouteRecordRaw =>
  ({
    path: `/forms/:formId(\\d+)${path}`,
    component,
    props: ({ params }: { params: Record<string, unknown> }) => ({
      formId: Number(params.formId),
      ...(params.serviceId !== undefined && { serviceId: Number(params.serviceId) }),
    }),
  }) as RouteRecordRaw

export const routes: RouteRecordRaw[] = [
  page('/settings', () => import('./general.vue')),
  page('/settings/people', () => import('./people.vue')),
  page('/settings/files', () => import('./files.vue')),
  page('/settings/records', () => import('./records.vue')),
  page('/services', () => import('./services.vue')),
  page('/services/:serviceId(\\d+)', () => import('./service.vue')),
]
