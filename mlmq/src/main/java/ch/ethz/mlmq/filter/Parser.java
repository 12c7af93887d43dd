package ch.ethz.mlmq.filter;

import ch.ethz.mlmq.filter.Expression.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the tokens of a filter by recursive descent, each once. */
final class Parser {
    /** Most parentheses, NOTs and signs around a part of a filter. */
    static final int MAX_DEPTH = 100;

    private final List<Token> tokens;
    private int at;
    private int depth;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Expression parse(String text) throws FilterException {
        Parser parser = new Parser(Lexer.tokens(text));
        Expression filter = parser.condition();
        if (parser.token().kind() != Token.Kind.END) {
            throw parser.expected("AND, OR or the end");
        }
        return filter;
    }

    /** Reads an expression that is used as a condition. */
    private Expression condition() throws FilterException {
        int start = at;
        Expression read = or();
        return checked(read, start, Kind.TRUTH, "a condition");
    }

    private Expression or() throws FilterException {
        int start = at;
        Expression first = and();
        if (!token().is("OR")) {
            return first;
        }
        List<Expression> all = new ArrayList<>(List.of(checked(first, start, Kind.TRUTH, "a condition")));
        while (accept("OR")) {
            int next = at;
            all.add(checked(and(), next, Kind.TRUTH, "a condition"));
        }
        return new Expression.Or(List.copyOf(all));
    }

    private Expression and() throws FilterException {
        int start = at;
        Expression first = not();
        if (!token().is("AND")) {
            return first;
        }
        List<Expression> all = new ArrayList<>(List.of(checked(first, start, Kind.TRUTH, "a condition")));
        while (accept("AND")) {
            int next = at;
            all.add(checked(not(), next, Kind.TRUTH, "a condition"));
        }
        return new Expression.And(List.copyOf(all));
    }

    private Expression not() throws FilterException {
        if (!accept("NOT")) {
            return predicate();
        }
        deeper();
        int start = at;
        Expression negated = new Expression.Not(checked(not(), start, Kind.TRUTH, "a condition"));
        depth--;
        return negated;
    }

    private Expression predicate() throws FilterException {
        int start = at;
        Expression value = sum();
        Operator comparison = Operator.comparison(token());
        if (comparison != null) {
            return comparison(value, start, comparison);
        }
        if (accept("IS")) {
            boolean negated = accept("NOT");
            expect("NULL");
            return negated(negated, new Expression.IsNull(value));
        }
        boolean negated = accept("NOT");
        if (accept("BETWEEN")) {
            return between(checked(value, start, Kind.NUMBER, "a number"), negated);
        }
        if (accept("IN")) {
            return negated(negated, in(value));
        }
        if (accept("LIKE")) {
            return negated(negated, like(checked(value, start, Kind.TEXT, "a property or a string")));
        }
        if (negated) {
            throw expected("BETWEEN, IN or LIKE");
        }
        return value;
    }

    /** Puts a literal behind the operator, so that equal filters are the same. */
    private Expression comparison(Expression one, int start, Operator operator) throws FilterException {
        at++;
        int second = at;
        Expression other = sum();
        if (operator.isOfNumbers()) {
            checked(one, start, Kind.NUMBER, "a number");
            checked(other, second, Kind.NUMBER, "a number");
        }
        return one instanceof Expression.Literal && !(other instanceof Expression.Literal)
                ? new Expression.Comparison(other, operator.mirrored(), one)
                : new Expression.Comparison(one, operator, other);
    }

    /** As JMS says, NOT BETWEEN is less or greater: neither is true of a value that is no number. */
    private Expression between(Expression value, boolean negated) throws FilterException {
        Expression least = number();
        expect("AND");
        Expression greatest = number();
        return negated
                ? new Expression.Or(List.of(new Expression.Comparison(value, Operator.LESS, least),
                        new Expression.Comparison(value, Operator.GREATER, greatest)))
                : new Expression.And(List.of(new Expression.Comparison(value, Operator.AT_LEAST, least),
                        new Expression.Comparison(value, Operator.AT_MOST, greatest)));
    }

    private Expression number() throws FilterException {
        int start = at;
        return checked(sum(), start, Kind.NUMBER, "a number");
    }

    private Expression.Condition in(Expression value) throws FilterException {
        Set<Object> values = new LinkedHashSet<>();
        expect("(");
        do {
            int start = at;
            if (!(unary() instanceof Expression.Literal literal) || literal.kind() == Kind.TRUTH) {
                at = start;
                throw expected("a string or a number");
            }
            values.add(literal.value());
        } while (accept(","));
        expect(")");
        return new Expression.In(value, Set.copyOf(values));
    }

    private Expression.Condition like(Expression value) throws FilterException {
        Token pattern = string("a string in quotes");
        int escape = -1;
        if (accept("ESCAPE")) {
            Token character = string("one character in quotes");
            if (character.text().codePointCount(0, character.text().length()) != 1) {
                throw new FilterException(character.column(), "one character in quotes was expected");
            }
            escape = character.text().codePointAt(0);
        }
        try {
            return new Expression.Like(value, new LikePattern(pattern.text(), escape));
        } catch (FilterException e) {
            throw new FilterException(pattern.column(), e.getMessage());
        }
    }

    private Expression sum() throws FilterException {
        int start = at;
        Expression first = product();
        if (!token().is("+") && !token().is("-")) {
            return first;
        }
        List<Expression.Arithmetic.Step> steps = new ArrayList<>();
        while (token().is("+") || token().is("-")) {
            Operator operator = Operator.of(tokens.get(at++).text());
            int next = at;
            steps.add(new Expression.Arithmetic.Step(operator, checked(product(), next, Kind.NUMBER, "a number")));
        }
        return new Expression.Arithmetic(checked(first, start, Kind.NUMBER, "a number"), List.copyOf(steps));
    }

    private Expression product() throws FilterException {
        int start = at;
        Expression first = unary();
        if (!token().is("*") && !token().is("/")) {
            return first;
        }
        List<Expression.Arithmetic.Step> steps = new ArrayList<>();
        while (token().is("*") || token().is("/")) {
            Operator operator = Operator.of(tokens.get(at++).text());
            int next = at;
            steps.add(new Expression.Arithmetic.Step(operator, checked(unary(), next, Kind.NUMBER, "a number")));
        }
        return new Expression.Arithmetic(checked(first, start, Kind.NUMBER, "a number"), List.copyOf(steps));
    }

    private Expression unary() throws FilterException {
        boolean negative = token().is("-");
        if (!negative && !token().is("+")) {
            return primary();
        }
        at++;
        if (token().kind() == Token.Kind.INTEGER || token().kind() == Token.Kind.REAL) {
            return literal(tokens.get(at++), negative ? "-" : "");
        }
        deeper();
        int start = at;
        Expression value = checked(unary(), start, Kind.NUMBER, "a number");
        depth--;
        return negative ? new Expression.Negative(value)
                : new Expression.Arithmetic(value, List.of());
    }

    private Expression primary() throws FilterException {
        Token token = token();
        switch (token.kind()) {
            case STRING -> {
                at++;
                return new Expression.Literal(token.text());
            }
            case INTEGER, REAL -> {
                at++;
                return literal(token, "");
            }
            case NAME -> {
                at++;
                return new Expression.Name(token.text());
            }
            default -> {
                return wordOrParentheses();
            }
        }
    }

    private Expression wordOrParentheses() throws FilterException {
        if (accept("TRUE")) {
            return new Expression.Literal(true);
        }
        if (accept("FALSE")) {
            return new Expression.Literal(false);
        }
        if (!accept("(")) {
            throw expected("a property, a value, NOT or (");
        }
        deeper();
        Expression inner = or();
        expect(")");
        depth--;
        return inner;
    }

    private static Expression literal(Token number, String sign) throws FilterException {
        try {
            return new Expression.Literal(number.kind() == Token.Kind.REAL
                    ? (Object) Double.valueOf(sign + number.text()) : (Object) Long.valueOf(sign + number.text()));
        } catch (NumberFormatException e) {
            throw new FilterException(number.column(), "an integer has at most 64 bits; write it as a real: "
                    + number.text() + ".0");
        }
    }

    private static Expression negated(boolean negated, Expression.Condition condition) {
        return negated ? new Expression.Not(condition) : condition;
    }

    /** Refuses what can never be of that kind. */
    private Expression checked(Expression value, int start, Kind kind, String what) throws FilterException {
        if (value.kind() != kind && value.kind() != Kind.ANY) {
            throw new FilterException(tokens.get(start).column(), what + " was expected");
        }
        return value;
    }

    private Token string(String what) throws FilterException {
        if (token().kind() != Token.Kind.STRING) {
            throw expected(what);
        }
        return tokens.get(at++);
    }

    private void deeper() throws FilterException {
        if (++depth > MAX_DEPTH) {
            throw new FilterException(token().column(), "more than " + MAX_DEPTH + " parentheses, NOTs and signs are "
                    + "within each other");
        }
    }

    private boolean accept(String wanted) {
        boolean found = token().is(wanted);
        if (found) {
            at++;
        }
        return found;
    }

    private void expect(String wanted) throws FilterException {
        if (!accept(wanted)) {
            throw expected(wanted);
        }
    }

    private FilterException expected(String what) {
        return new FilterException(token().column(), what + " was expected, not " + token().shown());
    }

    private Token token() {
        return tokens.get(at);
    }
}
