"""Words that show what a passage states, in English, German, French, Spanish; parts of words in Chinese and Japanese.

A `*` stands for any ending. Used by `cues`; kept apart, so that a language can be added without reading code.
"""

from typing import Final

NEGATION: Final = (
    "no, none, nobody, nothing, neither, not, never, no longer, cannot, can't, won't, don't, doesn't, didn't, "
    "isn't, aren't, wasn't, without, except, unless, nicht, kein*, nie, niemals, ohne, außer, ausgenommen, n'*, "
    "jamais, sauf, sans, aucun*, nunca, sin, salvo, excepto, ningun*, no se"
)
NEGATION_UNSPACED: Final = "不 没 无 未 ない ません ただし 除 않 없"

DECISION: Final = (
    "decid*, decision*, agreed, agreement, approv*, reject*, must, shall, require*, deadline*, due, owner*, owns, "
    "action item*, root cause, because, caus*, fix, fixes, fixed, resolv*, workaround*, breaking, deprecat*, "
    "remov*, warning*, caution, important, error*, fail*, critical, conclu*, result*, found, therefore, increas*, "
    "decreas*, reduc*, beschl*, entschied*, entscheid*, muss, müssen, frist*, ursache*, behoben, fehler*, "
    "wichtig*, verantwortlich*, zuständig*, vereinbart*, genehmigt*, abgelehnt*, décid*, décision*, doit, "
    "doivent, échéance*, cause*, corrig*, erreur*, responsable*, convenu*, decidi*, decisión, debe, deben, "
    "plazo*, causa*, corregi*, importante*, acord*"
)
DECISION_UNSPACED: Final = "決定 决定 必須 必须 原因 期限 責任 负责 担当 結論 结论 重要 承認 批准 禁止"

COURTESY: Final = (
    "hi, hello, hey, dear, thanks, thank you, many thanks, best, best regards, kind regards, regards, cheers, "
    "sincerely, hope you, hope this, i hope, have a nice, have a great, have a good, looking forward, please do "
    "not hesitate, please don't hesitate, let me know if, feel free, good morning, good afternoon, as always, "
    "welcome, lol, haha, sure, ok, okay, yep, nice, cool, great, hallo, liebe, lieber, sehr geehrte*, guten tag, "
    "guten morgen, danke, vielen dank, viele grüße, beste grüße, mit freundlichen, bonjour, cordialement, merci, "
    "bien à vous, hola, estimad*, gracias, saludos, un saludo"
)
"""At the beginning of a passage."""
BOILERPLATE: Final = (
    "unsubscribe, all rights reserved, confidentiality notice, intended recipient*, view this email, view in "
    "browser, privacy policy, cookie*, follow us, sign up, subscribe, newsletter"
)
COURTESY_UNSPACED: Final = "お世話にな よろしくお願い お疲れさま 您好 祝好 此致 敬礼"

LIMIT: Final = (
    "only, at least, at most, no more than, more than, maximum, minimum, limit*, cap, capped, until, up to, "
    "within, at the earliest, at the latest, before, instead of, nur, höchstens, mindestens, maximal, bis zu, "
    "spätestens, frühestens, bis zum, seulement, au moins, au plus, maximum, jusqu'*, avant, solo, sólo, al "
    "menos, como máximo, hasta, antes de"
)
LIMIT_UNSPACED: Final = "以上 以内 以下 超过 不得 少于 まで のみ 之前 只能 だけ"

CHANGE: Final = (
    "no longer, gone, remov*, renam*, moved, default*, must, instead of, drop*, replac*, now, new, cve*, flaw*, "
    "vulnerab*, before you, rebuil*, migrat*, entfernt, ersetzt, neu, umbenannt, supprim*, remplac*, elimin*, "
    "reemplaz*"
)
CHANGE_UNSPACED: Final = "変更 廃止 更改 取消 删除"

REMEDY: Final = (
    "fix*, solv*, resolv*, restor*, repair*, replac*, install*, workaround*, switch off, refund*, rais*, add*, "
    "revert*, until, get, gets, from now on, behoben, bekommt, künftig, ersetzt, repar*, répar*, remplac*, "
    "corrig*, restaur*"
)
REMEDY_UNSPACED: Final = "復旧 修正 対策 削除 ようにし 修复 解决 措施"

MONEY: Final = "usd, eur, gbp, chf, jpy, euro*, dollar*, franc*, pound*, percent, prozent"
MONEY_UNSPACED: Final = "$ € £ ¥ 円 元 %"

DATE: Final = (
    "monday, tuesday, wednesday, thursday, friday, saturday, sunday, tomorrow, yesterday, tonight, montag*, "
    "dienstag*, mittwoch*, donnerstag*, freitag*, samstag*, sonntag*, morgen, lundi, mardi, mercredi, jeudi, "
    "vendredi, samedi, dimanche, demain, lunes, martes, miércoles, jueves, viernes, sábado, domingo, mañana"
)
DATE_UNSPACED: Final = "月曜 火曜 水曜 木曜 金曜 土曜 日曜 周一 周二 周三 周四 周五 星期"
UNIT_OF_TIME: Final = (
    "am, pm, uhr, second*, minute*, hour*, day*, week*, month*, quarter*, year*, sekunde*, stunde*, tag, tage, "
    "tagen, woche*, monat*, jahr*, jour*, semaine*, heure*, mois, an, ans, día*, semana*, hora*, mes, meses, año*"
)
MONTH: Final = (
    "jan, feb, mar, mär, apr, may, mai, jun, jul, aug, sep, oct, okt, nov, dec, dez, ene, abr, ago, dic, janv, "
    "févr, avr, juin, juil, août, déc"
)
"""How the months' names begin."""

CAUSE: Final = (
    "because, caus*, due to, led to, root, reason*, since, trigger*, result of, owing, weil, wegen, ursache*, "
    "grund, durch, parce que, car, à cause, en raison, porque, debido, causa*"
)
CAUSE_UNSPACED: Final = "原因 ため 因为 由于"

ASKS_DATE: Final = (
    "when, date*, deadline*, time, times, timeline, schedule*, due, how long, duration, until, wann, termin*, "
    "frist*, zeitplan, datum, quand, délai*, échéance*, cuándo, fecha*, plazo*"
)
ASKS_DATE_UNSPACED: Final = "いつ 期限 日程 时间 何时 日時 时候"
ASKS_MONEY: Final = (
    "cost*, price*, pay*, fee*, budget*, amount*, how much, refund*, invoice*, expens*, kosten, preis*, betrag, "
    "gebühr*, coût*, prix, montant*, tarif*, coste*, precio*, importe*"
)
ASKS_MONEY_UNSPACED: Final = "费用 价格 料金 費用 金額 预算 予算"
ASKS_FIGURE: Final = (
    "how many, number*, figure*, metric*, measure*, result*, performance, statistic*, impact, affected, effect*, "
    "size*, quantit*, dos*, temperatur*, limit*, zahlen, wie viele, combien, chiffre*, cuánt*, cifra*"
)
ASKS_FIGURE_UNSPACED: Final = "数 多少 いくつ"
ASKS_CAUSE: Final = (
    "why, cause*, reason*, root, explain*, warum, ursache*, gründe, pourquoi, raison*, causa*, motivo*, what happened"
)
ASKS_CAUSE_UNSPACED: Final = "原因 なぜ 为什么"
ASKS_DECISION: Final = (
    "decision*, decided, agreed, outcome*, conclusion*, action item*, actions, next steps, todo*, tasks, "
    "entscheidung*, beschl*, aufgaben, décision*, decisi*, acuerdo*"
)
ASKS_DECISION_UNSPACED: Final = "決定 决定 决议 結論"
ASKS_NEGATION: Final = (
    "no, none, nobody, nothing, neither, not, never, exception*, exclu*, limitation*, risk*, warning*, forbidden, "
    "prohibited, restriction*, caveat*, ausnahme*, interdi*, excepci*, riesgo*, risiken, risiko"
)
ASKS_NEGATION_UNSPACED: Final = "注意 禁止 风险 例外"
ASKS_CHANGE: Final = (
    "breaking, incompatib*, upgrad*, migrat*, chang*, updat*, deprecat*, security, new, änderung*, neuerung*, "
    "changement*, cambio*"
)
ASKS_CHANGE_UNSPACED: Final = "変更 更改 变化 更新"
ASKS_REMEDY: Final = (
    "fix*, solv*, solution*, resolv*, workaround*, measure*, remed*, repair*, to be done, recommend*, maßnahme*, "
    "lösung*, behoben, mesure*, medida*, solución*"
)
ASKS_REMEDY_UNSPACED: Final = "対策 措施 解决 復旧"
ASKS_LIMIT: Final = (
    "limit*, rule*, require*, condition*, allowed, forbidden, permitted, obligation*, notice, eligib*, regel*, "
    "bedingung*, voraussetzung*, condition*, règle*, requisito*, condicion*, regla*"
)
ASKS_LIMIT_UNSPACED: Final = "条件 規則 规定 要求 限制 注意"
ASKS_NAME: Final = (
    "who, whose, owner*, responsib*, assign*, contact*, people, wer, zuständig*, verantwortlich*, qui, "
    "responsable*, quién"
)
ASKS_NAME_UNSPACED: Final = "谁 誰 担当 负责"

STOPWORDS: Final = (
    "a about after again all also am an and any are as at be been before being both but by can could did do does "
    "doing done down during each else ever every few for from further get gets getting go goes going got had has "
    "have having he her here hers him his how i if in into is it its itself just let like made make makes may me "
    "might mine more most much must my no nor not now of off on once one only onto or other our ours out over own "
    "per quite rather really s same she should since so some still such t than that the their them then there "
    "these they thing things this those though through thus to too under until up upon us use used very want was "
    "way we well were what when where whether which while who whom why will with within without would yet you "
    "your yours aber alle als auch auf aus bei beim bin bis da damit dann das dass dem den denn der des die dies "
    "diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch für "
    "gegen gibt hab habe haben hat hatte hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren im ist ja jede "
    "jeder jedes jetzt kann kein keine können man mehr mein mit muss nach nicht noch nun nur ob oder ohne sehr "
    "sein seine seit sich sie sind soll sollte über um und uns unser unter vom von vor wann war waren warum wegen "
    "weil wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen ai au aux avec avoir c ce ceci "
    "cela ces cet cette ceux comme d dans de donc elle elles en entre est et été être eu faire fait il ils j je l "
    "la le les leur leurs lui m ma mais mes moi mon n ne nos notre nous ont ou où par pas plus pour qu quand que "
    "quel quelle qui sa sans se ses si soit son sont sous sur ta te tes toi ton tous tout toute très tu un une "
    "vos votre vous y al algo ante antes como con contra cual cuando cómo del desde donde dos e el ella ellas "
    "ellos era esa ese eso esta este esto estos está están fue ha había han hasta hay las lo los mas mi mientras "
    "muy más ni nosotros o os otra otro para pero poco por porque qué quien quién sea ser sido sin sobre su sus "
    "sí también tan tiene todo todos una uno unos usted ya yo"
)
"""Words that say nothing alone."""

ABBREVIATIONS: Final = (
    "mr mrs ms dr prof st sr jr vs etc no nos nr fig figs eq sec art abs approx ca cf al ed eds inc ltd co corp "
    "dept est resp bzw usw evtl ggf inkl zzgl vgl str tel hr fr u.a z.b d.h i.d.r e.g i.e a.m p.m u.s u.k sra "
    "sres ud uds pág mme mlle p.ej p pp vol jan feb apr aug sept sep oct okt nov dec dez"
)
"""Words before a full stop that ends no sentence."""
GERMAN_MONTHS: Final = (
    "januar februar märz april mai juni juli august september oktober november dezember jänner quartal jahrhundert"
)
"""What follows an ordinal such as `3.`."""

OPPOSITES: Final = (
    "increase/decrease increased/decreased increases/decreases rise/fall rose/fell rises/falls grow/shrink "
    "grew/shrank up/down more/less higher/lower open/closed opened/closed opens/closes open/shut enable/disable "
    "enabled/disabled enables/disables approve/reject approved/rejected accept/refuse accepted/refused "
    "accepted/rejected allow/forbid allowed/forbidden allowed/denied granted/denied permitted/prohibited "
    "before/after first/last start/stop started/stopped begin/end began/ended add/remove added/removed "
    "include/exclude included/excluded with/without always/never win/lose won/lost buy/sell bought/sold "
    "early/late hot/cold left/right on/off true/false yes/no pass/fail passed/failed success/failure "
    "valid/invalid possible/impossible public/private minimum/maximum north/south east/west mehr/weniger "
    "steigt/sinkt stieg/sank erlaubt/verboten offen/geschlossen genehmigt/abgelehnt vor/nach plus/moins "
    "ouvert/fermé ouverte/fermée accepté/refusé acceptée/refusée avant/après hausse/baisse más/menos "
    "abierto/cerrado abierta/cerrada aprobado/rechazado antes/después sube/baja"
)
"""Words that turn a statement round when one takes the other's place."""
