import { translation } from '../catalogue'
import type en from '../en/grid'

export default translation<typeof en>({
  keys: 'تنتقل مفاتيح الأسهم بين الخلايا، ويفتح Enter صفًا، وتحدده المسافة. في الرأس يرتّب Enter، ويفتح Alt مع السهم السفلي قائمة العمود، ويوسّعه Alt مع السهمين الجانبيين أو يضيّقه، وينقله Ctrl وShift معهما.',
  tickAll: 'اختيار الكل',
  menu: 'قائمة {column}',
  pin: 'إبقاؤه ظاهرًا',
  unpin: 'تركه يتحرك',
  hide: 'إخفاء',
  moveStart: 'نقل نحو البداية',
  moveEnd: 'نقل نحو النهاية',
  usualWidth: 'العرض المعتاد',
})
