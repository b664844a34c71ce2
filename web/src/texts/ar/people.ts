import { translation } from '../catalogue'
import type en from '../en/people'

export default translation<typeof en>({
  find: 'ابحث عن شخص',
  you: 'أنت',
  noneFound: 'لا أحد هنا بهذا الاسم.',
  showMore: {
    zero: 'أظهر المزيد',
    one: 'أظهر واحدًا آخر',
    two: 'أظهر اثنين آخرين',
    few: 'أظهر {n} آخرين',
    many: 'أظهر {n} آخرين',
    other: 'أظهر {n} آخرين',
  },
})
