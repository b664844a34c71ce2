import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/dashboard',
    component: () => import('./dashboard.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
  },
  {
    path: '/public/dashboard',
    component: () => import('./public-board.vue'),
    meta: { access: 'anyone', isBare: true },
  },
]
