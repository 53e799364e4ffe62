/** Words that say nothing about a call, of English, Russian and German. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing don down each
  else even few for from further get getting go going gonna good got great had has have having he hello her here hers hi him his how
  i if in into is it its just know let like little lot made make many maybe me mean might more most much must my need no nor not now
  of off oh ok okay on once one only or other our out over own please really right said same say see she should so some still such
  sure take than thank thanks that the their them then there these they thing things think this those through time to too under until
  up us use very want was way we well were what when where which while who why will with would yeah yes you your
  и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему
  теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей может они тут где
  есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой
  aber als am auch auf aus bei bin bis das dass dem den der des die doch du ein eine einem einen einer es für hat hatte ich ihr im in
  ist ja kann man mein mit nach nein nicht noch nur oder sein sich sie sind so über um und uns von vor war was wenn wer wie wir wird zu zum zur`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
