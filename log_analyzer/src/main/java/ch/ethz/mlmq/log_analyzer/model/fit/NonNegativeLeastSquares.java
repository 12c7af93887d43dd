package ch.ethz.mlmq.log_analyzer.model.fit;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;

/**
 * Solves min ‖X β − y‖₂ subject to β ≥ 0 by the active-set method of C. L. Lawson and R. J. Hanson, <i>Solving Least
 * Squares Problems</i>, Prentice-Hall 1974, algorithm 23.10 (NNLS).
 */
public final class NonNegativeLeastSquares {
    private static final double TOLERANCE = 1e-10;

    private NonNegativeLeastSquares() {
    }

    /**
     * @param x rows of regressors with full column rank
     * @param y a response for each row
     * @return a coefficient for each column, none of them negative
     */
    public static double[] solve(double[][] x, double[] y) {
        int columns = x[0].length;
        double[] scale = new double[columns];
        double[][] scaled = new double[x.length][columns];
        for (int j = 0; j < columns; j++) {
            for (double[] row : x) {
                scale[j] = Math.hypot(scale[j], row[j]);
            }
            for (int i = 0; i < x.length; i++) {
                scaled[i][j] = x[i][j] / scale[j];
            }
        }
        double[] solution = solveScaled(scaled, y);
        for (int j = 0; j < columns; j++) {
            solution[j] /= scale[j];
        }
        return solution;
    }

    private static double[] solveScaled(double[][] x, double[] y) {
        int columns = x[0].length;
        boolean[] free = new boolean[columns];
        double[] solution = new double[columns];
        double size = 0;
        for (double each : y) {
            size = Math.hypot(size, each);
        }
        // Each round frees one column; the bound is Lawson and Hanson's own against endless loops caused by rounding.
        for (int round = 0; round < 3 * columns; round++) {
            int steepest = steepest(x, y, solution, free, TOLERANCE * size);
            if (steepest < 0) {
                break;
            }
            free[steepest] = true;
            double[] trial = leastSquares(x, y, free);
            while (hasNegative(trial, free)) {
                solution = stepTowards(trial, solution, free);
                trial = leastSquares(x, y, free);
            }
            solution = trial;
        }
        return solution;
    }

    /** @return the column at its bound along which the error falls most, -1 if it falls along none */
    private static int steepest(double[][] x, double[] y, double[] solution, boolean[] free, double tolerance) {
        int best = -1;
        double most = tolerance;
        for (int j = 0; j < solution.length; j++) {
            double gradient = 0;
            for (int i = 0; i < x.length && !free[j]; i++) {
                gradient += x[i][j] * (y[i] - product(x[i], solution));
            }
            if (!free[j] && gradient > most) {
                most = gradient;
                best = j;
            }
        }
        return best;
    }

    private static boolean hasNegative(double[] trial, boolean[] free) {
        for (int j = 0; j < trial.length; j++) {
            if (free[j] && trial[j] <= 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Moves from the solution towards the trial until a coefficient would become negative; one that became zero is
     * bound again.
     */
    private static double[] stepTowards(double[] trial, double[] solution, boolean[] free) {
        double step = 1;
        int first = -1;
        for (int j = 0; j < trial.length; j++) {
            if (free[j] && trial[j] <= 0 && solution[j] / (solution[j] - trial[j]) <= step) {
                step = solution[j] / (solution[j] - trial[j]);
                first = j;
            }
        }
        double[] moved = new double[trial.length];
        for (int j = 0; j < trial.length; j++) {
            moved[j] = free[j] ? solution[j] + step * (trial[j] - solution[j]) : 0;
            if (j == first || moved[j] <= 0) {
                free[j] = false;
                moved[j] = 0;
            }
        }
        return moved;
    }

    private static double[] leastSquares(double[][] x, double[] y, boolean[] free) {
        int columns = 0;
        for (boolean each : free) {
            columns += each ? 1 : 0;
        }
        double[] all = new double[free.length];
        if (columns == 0) {
            return all;
        }
        double[][] part = new double[x.length][columns];
        for (int i = 0; i < x.length; i++) {
            int column = 0;
            for (int j = 0; j < free.length; j++) {
                if (free[j]) {
                    part[i][column++] = x[i][j];
                }
            }
        }
        double[] found = new QRDecomposition(new Array2DRowRealMatrix(part, false)).getSolver()
                .solve(new ArrayRealVector(y, false)).toArray();
        int column = 0;
        for (int j = 0; j < free.length; j++) {
            all[j] = free[j] ? found[column++] : 0;
        }
        return all;
    }

    static double product(double[] row, double[] coefficients) {
        double sum = 0;
        for (int j = 0; j < row.length; j++) {
            sum += row[j] * coefficients[j];
        }
        return sum;
    }
}
